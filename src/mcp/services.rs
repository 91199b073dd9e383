//! The services that tools use.

use std::sync::Arc;

use super::{links::Links, plans::Plans, state::AppPage};
use crate::{
    domain::{
        core::{Call, Gate},
        map::drawing::MapImages,
        wiki::Wiki,
    },
    error::Result,
};

/// The services that tools use.
#[derive(Debug, Clone)]
pub struct Services {
    /// Access to data.
    pub gate: Gate,
    /// Access to the wiki.
    pub wiki: Wiki,
    /// The public URL, without a trailing slash.
    pub public_url: Arc<str>,
    /// Dry runs that can be applied.
    pub plans: Arc<Plans>,
    /// Draws images of maps.
    pub map_images: MapImages,
    /// The page on which clients show maps.
    pub app_page: AppPage,
}

/// Access to data, for tools whose results contain URLs of the web client.
#[derive(Debug, Clone)]
pub struct Site {
    /// Access to data.
    pub gate: Gate,
    /// The public URL, without a trailing slash.
    pub public_url: Arc<str>,
    /// Dry runs that can be applied.
    pub plans: Arc<Plans>,
}

impl Site {
    /// The URLs of the caller's organization in the web client.
    pub async fn links<A>(&self, call: &Call<A>) -> Result<Links> {
        let caller = self.gate.admit(call.clone()).await?;
        Ok(Links::new(&self.public_url, caller.organization.as_ref().map(|organization| organization.slug.as_str())))
    }
}

impl From<&Services> for Gate {
    fn from(services: &Services) -> Self {
        services.gate.clone()
    }
}

impl From<&Services> for Wiki {
    fn from(services: &Services) -> Self {
        services.wiki.clone()
    }
}

impl From<&Services> for Site {
    fn from(services: &Services) -> Self {
        let Services { gate, public_url, plans, .. } = services;
        Self { gate: gate.clone(), public_url: Arc::clone(public_url), plans: Arc::clone(plans) }
    }
}

impl From<&Services> for (Site, MapImages) {
    fn from(services: &Services) -> Self {
        (services.into(), services.map_images.clone())
    }
}

impl From<&Services> for (Site, Wiki) {
    fn from(services: &Services) -> Self {
        (services.into(), services.into())
    }
}
