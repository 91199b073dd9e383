//! A deserializer that knows the path of the value that it reads: it reports ignored fields, and where reading failed.
//!
//! Scalars are read by the deserializer behind it, and keys of objects before the object's type sees them, so that the
//! compiler generates little code for each type.

use std::{borrow::Cow, cell::OnceCell, fmt, marker::PhantomData};

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor, value::StrDeserializer},
    forward_to_deserialize_any,
};

use crate::error::FieldPath;

/// The place of a value in the input.
pub(super) enum Place<'p> {
    /// The whole input.
    Root(&'p Tracker<'p>),
    /// An item of a list.
    Item(&'p Place<'p>, usize),
    /// A field of an object.
    Field(&'p Place<'p>, &'p str),
    /// The content of a variant of an enum.
    Variant(&'p Place<'p>, &'p str),
}

/// What is recorded while the input is read.
pub(super) struct Tracker<'t> {
    ignored: &'t dyn Fn(&Place<'_>),
    failed: OnceCell<FieldPath>,
}

impl<'t> Tracker<'t> {
    /// Calls `ignored` for each ignored field.
    pub(super) fn new(ignored: &'t dyn Fn(&Place<'_>)) -> Self {
        Self { ignored, failed: OnceCell::new() }
    }

    /// Path of the innermost value that could not be read; empty for the whole input.
    pub(super) fn failed(self) -> FieldPath {
        self.failed.into_inner().unwrap_or_default()
    }
}

impl Place<'_> {
    fn path(&self) -> FieldPath {
        match self {
            Self::Root(_) => FieldPath::default(),
            Self::Item(parent, index) => parent.path().index(*index),
            Self::Field(parent, name) | Self::Variant(parent, name) => parent.path().field(*name),
        }
    }

    fn tracker(&self) -> &Tracker<'_> {
        match self {
            Self::Root(tracker) => tracker,
            Self::Item(parent, _) | Self::Field(parent, _) | Self::Variant(parent, _) => parent.tracker(),
        }
    }

    /// Records that the value here could not be read. The innermost value is the first one.
    #[cold]
    fn fail(&self) {
        self.tracker().failed.get_or_init(|| self.path());
    }
}

/// Reads the value at `place` from the deserializer `inner`.
pub(super) struct Tracked<'p, D> {
    pub(super) inner: D,
    pub(super) place: &'p Place<'p>,
}

/// Implements the functions for values that contain no other values.
macro_rules! scalars {
    ($($name:ident)+) => { $(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$name(visitor)
        }
    )+ };
}

/// Implements the functions for values that may contain others.
macro_rules! containers {
    ($($name:ident($($argument:ident: $type:ty),*))+) => { $(
        fn $name<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$name($($argument,)* Inside { inner: visitor, place: self.place })
        }
    )+ };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tracked<'_, D> {
    type Error = D::Error;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier
    }

    containers! {
        deserialize_any()
        deserialize_option()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        (self.place.tracker().ignored)(self.place);
        self.inner.deserialize_ignored_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// A visitor, or access to an enum or a variant, of the value at `place`.
struct Inside<'p, X> {
    inner: X,
    place: &'p Place<'p>,
}

/// Implements the functions for values that contain no other values.
macro_rules! visits {
    ($($name:ident($type:ty))+) => { $(
        fn $name<E: de::Error>(self, value: $type) -> Result<X::Value, E> {
            self.inner.$name(value)
        }
    )+ };
}

impl<'de, X: Visitor<'de>> Visitor<'de> for Inside<'_, X> {
    type Value = X::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visits! {
        visit_bool(bool) visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128) visit_u8(u8)
        visit_u16(u16) visit_u32(u32) visit_u64(u64) visit_u128(u128) visit_f32(f32) visit_f64(f64) visit_char(char)
        visit_str(&str) visit_borrowed_str(&'de str) visit_string(String) visit_bytes(&[u8])
        visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_unit<E: de::Error>(self) -> Result<X::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_none<E: de::Error>(self) -> Result<X::Value, E> {
        self.inner.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<X::Value, D::Error> {
        self.inner.visit_some(Tracked { inner: value, place: self.place })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<X::Value, D::Error> {
        self.inner.visit_newtype_struct(Tracked { inner: value, place: self.place })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<X::Value, A::Error> {
        self.inner.visit_seq(Items { inner: items, place: self.place, index: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<X::Value, A::Error> {
        self.inner.visit_map(Fields { inner: fields, place: self.place, key: Cow::Borrowed("") })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variants: A) -> Result<X::Value, A::Error> {
        self.inner.visit_enum(Inside { inner: variants, place: self.place })
    }
}

/// Reads the value at `place` with `seed`.
struct Seed<'p, S> {
    seed: S,
    place: &'p Place<'p>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let place = self.place;
        self.seed.deserialize(Tracked { inner, place }).inspect_err(|_| place.fail())
    }
}

/// The items of the list at `place`.
struct Items<'p, A> {
    inner: A,
    place: &'p Place<'p>,
    index: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let place = Place::Item(self.place, self.index);
        self.index += 1;
        self.inner.next_element_seed(Seed { seed, place: &place })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// The fields of the object at `place`.
struct Fields<'de, 'p, A> {
    inner: A,
    place: &'p Place<'p>,
    /// The last key that was read.
    key: Cow<'de, str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<'de, '_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Some(key) = self.inner.next_key_seed(Key)? else { return Ok(None) };
        self.key = key;
        let key = seed.deserialize(KeyDeserializer { key: &self.key, error: PhantomData });
        key.map(Some).inspect_err(|_| Place::Field(self.place, &self.key).fail())
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let place = Place::Field(self.place, &self.key);
        self.inner.next_value_seed(Seed { seed, place: &place })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 'p, A: EnumAccess<'de>> EnumAccess<'de> for Inside<'p, A> {
    type Error = A::Error;
    type Variant = Variant<'de, 'p, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (name, inner) = self.inner.variant_seed(Key)?;
        let variant = seed.deserialize(KeyDeserializer { key: &name, error: PhantomData })?;
        Ok((variant, Variant { inner, place: self.place, name }))
    }
}

/// The content of the variant `name` of the enum at `place`.
struct Variant<'de, 'p, A> {
    inner: A,
    place: &'p Place<'p>,
    name: Cow<'de, str>,
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Variant<'de, '_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant().inspect_err(|_| Place::Variant(self.place, &self.name).fail())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let place = Place::Variant(self.place, &self.name);
        self.inner.newtype_variant_seed(Seed { seed, place: &place })
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let place = Place::Variant(self.place, &self.name);
        self.inner.tuple_variant(len, Inside { inner: visitor, place: &place }).inspect_err(|_| place.fail())
    }

    fn struct_variant<V: Visitor<'de>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, A::Error> {
        let place = Place::Variant(self.place, &self.name);
        self.inner.struct_variant(names, Inside { inner: visitor, place: &place }).inspect_err(|_| place.fail())
    }
}

/// Reads the text of a key, or the name of a variant.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_borrowed_str<E: de::Error>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

/// A key that was read.
struct KeyDeserializer<'de, 'k, E> {
    key: &'k Cow<'de, str>,
    error: PhantomData<E>,
}

impl<'de, E: de::Error> Deserializer<'de> for KeyDeserializer<'de, '_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.key {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_str(key),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(StrDeserializer::new(self.key))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}
