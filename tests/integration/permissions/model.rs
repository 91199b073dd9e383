//! A model of who may what: small enough to be held in the head, and to be checked against the tables by eye.

use proptest::prelude::*;

/// The users of a case. The first administers the instance too, which gives no more here.
pub const USERS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Viewer,
    Editor,
    Owner,
}

impl Level {
    pub fn word(self) -> &'static str {
        ["viewer", "editor", "owner"][self as usize]
    }
}

pub const VISIBILITIES: [&str; 3] = ["org", "members", "private"];

/// What somebody tries. Numbers are users.
#[derive(Debug, Clone)]
pub enum Act {
    Read {
        by: usize,
    },
    Write {
        by: usize,
    },
    Show {
        by: usize,
        visibility: &'static str,
    },
    Give {
        by: usize,
        to: usize,
        level: Level,
    },
    Take {
        by: usize,
        from: usize,
    },
    Promote {
        by: usize,
        whom: usize,
        admin: bool,
    },
    Remove {
        by: usize,
        whom: usize,
        heir: Option<usize>,
    },
    /// By the operator: they join again.
    Join {
        whom: usize,
        admin: bool,
    },
    /// By the operator.
    Suspend {
        whom: usize,
        is: bool,
    },
}

pub fn acts() -> impl Strategy<Value = Vec<Act>> {
    let user = || 0..USERS;
    let level = prop_oneof![Just(Level::Viewer), Just(Level::Editor), Just(Level::Owner)];
    let act = prop_oneof![
        3 => user().prop_map(|by| Act::Read { by }),
        2 => user().prop_map(|by| Act::Write { by }),
        2 => (user(), prop::sample::select(&VISIBILITIES)).prop_map(|(by, visibility)| Act::Show { by, visibility }),
        4 => (user(), user(), level).prop_map(|(by, to, level)| Act::Give { by, to, level }),
        2 => (user(), user()).prop_map(|(by, from)| Act::Take { by, from }),
        3 => (user(), user(), any::<bool>()).prop_map(|(by, whom, admin)| Act::Promote { by, whom, admin }),
        3 => (user(), user(), prop::option::of(user())).prop_map(|(by, whom, heir)| Act::Remove { by, whom, heir }),
        2 => (user(), any::<bool>()).prop_map(|(whom, admin)| Act::Join { whom, admin }),
        2 => (user(), any::<bool>()).prop_map(|(whom, is)| Act::Suspend { whom, is }),
    ];
    prop::collection::vec(act, 1..40)
}

/// One organization and one workspace in it.
#[derive(Debug, Clone)]
pub struct Model {
    /// Whether they are admins; none when they are no members.
    pub admin: [Option<bool>; USERS],
    pub suspended: [bool; USERS],
    pub level: [Option<Level>; USERS],
    pub visibility: &'static str,
}

type Outcome = Result<(), u16>;

impl Model {
    /// Everybody is a member; the first is admin, and owns the workspace.
    pub fn new() -> Self {
        Self {
            admin: [Some(true), Some(false), Some(false)],
            suspended: [false; USERS],
            level: [Some(Level::Owner), None, None],
            visibility: "org",
        }
    }

    /// The status that the act is answered with; on success, the model has moved.
    pub fn expect(&mut self, act: &Act) -> u16 {
        match self.perform(act) {
            Ok(()) if matches!(act, Act::Write { .. }) => 201,
            Ok(()) => 200,
            Err(status) => status,
        }
    }

    fn perform(&mut self, act: &Act) -> Outcome {
        match *act {
            Act::Read { by } => self.needs(by, Level::Viewer),
            Act::Write { by } => self.needs(by, Level::Editor),
            Act::Show { by, visibility } => {
                let same = visibility == self.visibility;
                self.needs(by, if same { Level::Editor } else { Level::Owner })?;
                self.visibility = visibility;
                Ok(())
            }
            Act::Give { by, to, level } => {
                self.needs(by, Level::Owner)?;
                self.admin[to].ok_or(400_u16)?;
                if level != Level::Owner && self.last_owner(to) {
                    return Err(409);
                }
                self.level[to] = Some(level);
                Ok(())
            }
            Act::Take { by, from } => {
                self.needs(by, Level::Owner)?;
                self.level[from].ok_or(404_u16)?;
                if self.last_owner(from) {
                    return Err(409);
                }
                self.level[from] = None;
                Ok(())
            }
            Act::Promote { by, whom, admin } => {
                self.needs_admin(by)?;
                let before = self.admin[whom].ok_or(404_u16)?;
                if before && !admin && self.last_admin(whom) {
                    return Err(409);
                }
                self.admin[whom] = Some(admin);
                Ok(())
            }
            Act::Remove { by, whom, heir } => self.remove(by, whom, heir),
            Act::Join { whom, admin } => {
                self.admin[whom].get_or_insert(admin);
                Ok(())
            }
            Act::Suspend { whom, is } => {
                self.suspended[whom] = is;
                Ok(())
            }
        }
    }

    fn remove(&mut self, by: usize, whom: usize, heir: Option<usize>) -> Outcome {
        if by == whom {
            self.known(by)?;
        } else {
            self.needs_admin(by)?;
        }
        self.admin[whom].ok_or(404_u16)?;
        if self.last_admin(whom) {
            return Err(409);
        }
        match heir {
            Some(heir) if heir == whom || self.admin[heir].is_none() || self.suspended[heir] => return Err(400),
            None if self.last_owner(whom) => return Err(409),
            _ => {}
        }
        if let Some(heir) = heir.filter(|_| self.last_owner(whom)) {
            self.level[heir] = Some(Level::Owner);
        }
        (self.admin[whom], self.level[whom]) = (None, None);
        Ok(())
    }

    /// Whether they are let in at all.
    fn known(&self, who: usize) -> Outcome {
        match (self.suspended[who], self.admin[who]) {
            (true, _) => Err(403),
            (_, None) => Err(401),
            _ => Ok(()),
        }
    }

    fn needs_admin(&self, who: usize) -> Outcome {
        self.known(who)?;
        if self.admin[who] == Some(true) { Ok(()) } else { Err(403) }
    }

    fn needs(&self, who: usize, level: Level) -> Outcome {
        self.known(who)?;
        match self.strongest(who) {
            None => Err(404),
            Some(has) if has < level => Err(403),
            Some(_) => Ok(()),
        }
    }

    /// The strongest of membership, visibility and administration.
    pub fn strongest(&self, who: usize) -> Option<Level> {
        let by_visibility = match (self.visibility, self.admin[who]) {
            (_, None) | ("private", _) => None,
            (_, Some(true)) => Some(Level::Owner),
            ("org", Some(false)) => Some(Level::Viewer),
            _ => None,
        };
        self.level[who].max(by_visibility)
    }

    fn last_owner(&self, who: usize) -> bool {
        let owners = |user: &usize| self.level[*user] == Some(Level::Owner);
        self.level[who] == Some(Level::Owner) && (0..USERS).filter(owners).count() == 1
    }

    /// No other admin could act.
    fn last_admin(&self, who: usize) -> bool {
        let stand_in = |user: usize| user != who && self.admin[user] == Some(true) && !self.suspended[user];
        self.admin[who] == Some(true) && !(0..USERS).any(stand_in)
    }
}
