//! A model of the permissions, small enough to compare with the tables by eye.

use proptest::prelude::*;

/// The users of a case. The first one is also an instance administrator, which makes no difference here.
pub const USERS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Viewer,
    Editor,
    Owner,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        ["viewer", "editor", "owner"][self as usize]
    }
}

pub const VISIBILITIES: [&str; 3] = ["org", "members", "private"];
pub const ORGANIZATION_ACCESS: [&str; 2] = ["view", "edit"];

/// A request of a user. Numbers are users.
#[derive(Debug, Clone)]
pub enum Action {
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
    /// Changes what members of the organization can do.
    Open {
        by: usize,
        access: &'static str,
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
    /// Added again by the operator.
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

pub fn actions() -> impl Strategy<Value = Vec<Action>> {
    let user = || 0..USERS;
    let level = prop_oneof![Just(Level::Viewer), Just(Level::Editor), Just(Level::Owner)];
    let action = prop_oneof![
        3 => user().prop_map(|by| Action::Read { by }),
        2 => user().prop_map(|by| Action::Write { by }),
        2 => (user(), prop::sample::select(&VISIBILITIES)).prop_map(|(by, visibility)| Action::Show { by, visibility }),
        2 => (user(), prop::sample::select(&ORGANIZATION_ACCESS)).prop_map(|(by, access)| Action::Open { by, access }),
        4 => (user(), user(), level).prop_map(|(by, to, level)| Action::Give { by, to, level }),
        2 => (user(), user()).prop_map(|(by, from)| Action::Take { by, from }),
        3 => (user(), user(), any::<bool>()).prop_map(|(by, whom, admin)| Action::Promote { by, whom, admin }),
        3 => (user(), user(), prop::option::of(user())).prop_map(|(by, whom, heir)| Action::Remove { by, whom, heir }),
        2 => (user(), any::<bool>()).prop_map(|(whom, admin)| Action::Join { whom, admin }),
        2 => (user(), any::<bool>()).prop_map(|(whom, is)| Action::Suspend { whom, is }),
    ];
    prop::collection::vec(action, 1..40)
}

/// One organization with one workspace.
#[derive(Debug, Clone)]
pub struct Model {
    /// Whether a user is an admin; none for users who are not members.
    pub admin: [Option<bool>; USERS],
    pub suspended: [bool; USERS],
    pub level: [Option<Level>; USERS],
    pub visibility: &'static str,
    pub organization_access: &'static str,
}

type Outcome = Result<(), u16>;

impl Model {
    /// Everyone is a member; the first user is the admin and owns the workspace.
    pub fn new() -> Self {
        Self {
            admin: [Some(true), Some(false), Some(false)],
            suspended: [false; USERS],
            level: [Some(Level::Owner), None, None],
            visibility: "org",
            organization_access: "view",
        }
    }

    /// Applies the action on success. Returns the expected status.
    pub fn expect(&mut self, action: &Action) -> u16 {
        match self.perform(action) {
            Ok(()) if matches!(action, Action::Write { .. }) => 201,
            Ok(()) => 200,
            Err(status) => status,
        }
    }

    fn perform(&mut self, action: &Action) -> Outcome {
        match *action {
            Action::Read { by } => self.needs(by, Level::Viewer),
            Action::Write { by } => self.needs(by, Level::Editor),
            Action::Show { by, visibility } => {
                let same = visibility == self.visibility;
                self.needs(by, if same { Level::Editor } else { Level::Owner })?;
                self.visibility = visibility;
                Ok(())
            }
            Action::Open { by, access } => {
                let same = access == self.organization_access;
                self.needs(by, if same { Level::Editor } else { Level::Owner })?;
                self.organization_access = access;
                Ok(())
            }
            Action::Give { by, to, level } => {
                self.needs(by, Level::Owner)?;
                self.admin[to].ok_or(400_u16)?;
                if level != Level::Owner && self.last_owner(to) {
                    return Err(409);
                }
                self.level[to] = Some(level);
                Ok(())
            }
            Action::Take { by, from } => {
                self.needs(by, Level::Owner)?;
                self.level[from].ok_or(404_u16)?;
                if self.last_owner(from) {
                    return Err(409);
                }
                self.level[from] = None;
                Ok(())
            }
            Action::Promote { by, whom, admin } => {
                self.needs_admin(by)?;
                let before = self.admin[whom].ok_or(404_u16)?;
                if before && !admin && self.last_admin(whom) {
                    return Err(409);
                }
                self.admin[whom] = Some(admin);
                Ok(())
            }
            Action::Remove { by, whom, heir } => self.remove(by, whom, heir),
            Action::Join { whom, admin } => {
                self.admin[whom].get_or_insert(admin);
                Ok(())
            }
            Action::Suspend { whom, is } => {
                self.suspended[whom] = is;
                Ok(())
            }
        }
    }

    fn remove(&mut self, by: usize, whom: usize, heir: Option<usize>) -> Outcome {
        if by == whom {
            self.authenticated(by)?;
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

    /// Whether authentication succeeds.
    fn authenticated(&self, who: usize) -> Outcome {
        match (self.suspended[who], self.admin[who]) {
            (true, _) => Err(403),
            (_, None) => Err(401),
            _ => Ok(()),
        }
    }

    fn needs_admin(&self, who: usize) -> Outcome {
        self.authenticated(who)?;
        if self.admin[who] == Some(true) { Ok(()) } else { Err(403) }
    }

    fn needs(&self, who: usize, level: Level) -> Outcome {
        self.authenticated(who)?;
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
            ("org", Some(false)) if self.organization_access == "edit" => Some(Level::Editor),
            ("org", Some(false)) => Some(Level::Viewer),
            _ => None,
        };
        self.level[who].max(by_visibility)
    }

    fn last_owner(&self, who: usize) -> bool {
        let owners = |user: &usize| self.level[*user] == Some(Level::Owner);
        self.level[who] == Some(Level::Owner) && (0..USERS).filter(owners).count() == 1
    }

    /// Whether no other admin could act.
    fn last_admin(&self, who: usize) -> bool {
        let stand_in = |user: usize| user != who && self.admin[user] == Some(true) && !self.suspended[user];
        self.admin[who] == Some(true) && !(0..USERS).any(stand_in)
    }
}
