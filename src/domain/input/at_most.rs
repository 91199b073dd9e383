//! Lists of limited length, and values that may be `null`.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use crate::error::{Problem, reject};

/// Parses a list of at most `MAX_ITEMS` items. Fails after the first item beyond that, without parsing the rest.
pub(crate) fn at_most<'de, const MAX_ITEMS: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Items<T, const MAX_ITEMS: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MAX_ITEMS: usize> Visitor<'de> for Items<T, MAX_ITEMS> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut read = Vec::new();
            while let Some(item) = items.next_element()? {
                if read.len() == MAX_ITEMS {
                    return Err(reject(Problem::Items { min: 0, max: Some(MAX_ITEMS) }));
                }
                read.push(item);
            }
            Ok(read)
        }
    }

    deserializer.deserialize_seq(Items::<T, MAX_ITEMS>(PhantomData))
}

/// Like [`at_most`], for a list that may be absent or `null`.
pub(crate) fn optional_at_most<'de, const MAX_ITEMS: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    struct List<T, const MAX_ITEMS: usize>(Vec<T>);

    impl<'de, T: Deserialize<'de>, const MAX_ITEMS: usize> Deserialize<'de> for List<T, MAX_ITEMS> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            at_most::<MAX_ITEMS, _, _>(deserializer).map(Self)
        }
    }

    Ok(Option::<List<T, MAX_ITEMS>>::deserialize(deserializer)?.map(|list| list.0))
}

/// Like [`at_most`], for a list that is empty if it is absent or `null`.
pub(crate) fn empty_or_at_most<'de, const MAX_ITEMS: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    optional_at_most::<MAX_ITEMS, _, _>(deserializer).map(Option::unwrap_or_default)
}

/// Reads a value that has its default if it is absent or `null`.
pub(crate) fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_up_to_its_limit() {
        let read = |text: &str| {
            at_most::<2, u8, _>(&mut serde_json::Deserializer::from_str(text)).map_err(|error| error.to_string())
        };
        assert_eq!(read("[]"), Ok(vec![]));
        assert_eq!(read("[1,2]"), Ok(vec![1, 2]));
        assert_eq!(read("[1,2,3]").unwrap_err(), "must have at most 2 items at line 1 column 7");
        assert!(read("{}").unwrap_err().contains("expected a sequence"));
    }
}
