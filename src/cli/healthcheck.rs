//! `planroom healthcheck`.

use clap::Args;

use super::{Failure, Place, operate::by_server, print};
use crate::operator::Operation;

#[derive(Debug, Args)]
pub(super) struct Healthcheck {
    #[command(flatten)]
    place: Place,
}

impl Healthcheck {
    pub(super) fn run(self) -> Result<(), Failure> {
        let data_dir = self.place.load()?.config.data_dir;
        match by_server(&data_dir, &Operation::Health)? {
            None => Err(format!("no server runs on {}", data_dir.display()).into()),
            Some(outcome) => {
                outcome?;
                print("ok\n")
            }
        }
    }
}
