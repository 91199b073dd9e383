//! Stakeholder roles.

use super::directory::entry;
use crate::domain::roles::Role;

entry!(Role in "role", placed by sort_order, linked by "link_type", with { name, color, sort_order, icon, icon_name });
