//! Which resources are components. Others are parts and settings of these, and would only fill the map.

/// What a resource is on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) type_id: &'static str,
    /// Whether it contains the resources that name it. The largest one contains the others.
    pub(super) rank: u8,
}

/// Ranks of containers: a resource is in the innermost one that it names.
const SUBNET: u8 = 1;
const CLUSTER: u8 = 2;
const NETWORK: u8 = 3;
const RESOURCE_GROUP: u8 = 4;

const CONTAINERS: &[(&str, &str, u8)] = &[
    ("aws_vpc", "network", NETWORK),
    ("aws_subnet", "network", SUBNET),
    ("aws_ecs_cluster", "cluster", CLUSTER),
    ("aws_eks_cluster", "cluster", CLUSTER),
    ("azurerm_resource_group", "group", RESOURCE_GROUP),
    ("azurerm_virtual_network", "network", NETWORK),
    ("azurerm_subnet", "network", SUBNET),
    ("azurerm_kubernetes_cluster", "cluster", CLUSTER),
    ("azurerm_service_plan", "host", CLUSTER),
    ("google_compute_network", "network", NETWORK),
    ("google_compute_subnetwork", "network", SUBNET),
    ("google_container_cluster", "cluster", CLUSTER),
    ("kubernetes_namespace", "group", RESOURCE_GROUP),
];

const COMPONENTS: &[(&str, &[&str])] = &[
    (
        "host",
        &[
            "aws_instance",
            "aws_autoscaling_group",
            "azurerm_linux_virtual_machine",
            "azurerm_windows_virtual_machine",
            "azurerm_virtual_machine",
            "azurerm_linux_virtual_machine_scale_set",
            "google_compute_instance",
            "google_compute_instance_group_manager",
            "digitalocean_droplet",
            "hcloud_server",
        ],
    ),
    (
        "service",
        &[
            "aws_ecs_service",
            "aws_apprunner_service",
            "aws_elastic_beanstalk_environment",
            "azurerm_container_app",
            "azurerm_container_group",
            "google_cloud_run_service",
            "google_cloud_run_v2_service",
            "google_app_engine_standard_app_version",
            "kubernetes_deployment",
            "kubernetes_deployment_v1",
            "kubernetes_stateful_set",
            "helm_release",
        ],
    ),
    (
        "web-app",
        &[
            "azurerm_linux_web_app",
            "azurerm_windows_web_app",
            "azurerm_app_service",
            "azurerm_static_web_app",
            "aws_amplify_app",
        ],
    ),
    (
        "function",
        &[
            "aws_lambda_function",
            "aws_sfn_state_machine",
            "azurerm_function_app",
            "azurerm_linux_function_app",
            "azurerm_windows_function_app",
            "google_cloudfunctions_function",
            "google_cloudfunctions2_function",
        ],
    ),
    (
        "job",
        &[
            "aws_batch_job_definition",
            "google_cloud_scheduler_job",
            "google_cloud_run_v2_job",
            "kubernetes_cron_job",
            "kubernetes_cron_job_v1",
        ],
    ),
    (
        "database",
        &[
            "aws_db_instance",
            "aws_rds_cluster",
            "aws_dynamodb_table",
            "aws_docdb_cluster",
            "aws_neptune_cluster",
            "aws_redshift_cluster",
            "azurerm_cosmosdb_account",
            "azurerm_mssql_database",
            "azurerm_mssql_server",
            "azurerm_sql_database",
            "azurerm_postgresql_server",
            "azurerm_postgresql_flexible_server",
            "azurerm_mysql_server",
            "azurerm_mysql_flexible_server",
            "google_sql_database_instance",
            "google_spanner_instance",
            "google_bigtable_instance",
            "google_firestore_database",
            "google_bigquery_dataset",
            "digitalocean_database_cluster",
            "mongodbatlas_cluster",
        ],
    ),
    (
        "cache",
        &[
            "aws_elasticache_cluster",
            "aws_elasticache_replication_group",
            "azurerm_redis_cache",
            "google_redis_instance",
            "google_memcache_instance",
        ],
    ),
    (
        "queue",
        &[
            "aws_sqs_queue",
            "aws_mq_broker",
            "aws_msk_cluster",
            "azurerm_servicebus_queue",
            "azurerm_servicebus_namespace",
            "google_cloud_tasks_queue",
        ],
    ),
    (
        "topic",
        &[
            "aws_sns_topic",
            "aws_kinesis_stream",
            "aws_cloudwatch_event_bus",
            "azurerm_servicebus_topic",
            "azurerm_eventhub",
            "azurerm_eventhub_namespace",
            "azurerm_eventgrid_topic",
            "google_pubsub_topic",
        ],
    ),
    (
        "storage",
        &[
            "aws_s3_bucket",
            "aws_efs_file_system",
            "azurerm_storage_account",
            "google_storage_bucket",
            "google_filestore_instance",
        ],
    ),
    ("search-index", &["aws_elasticsearch_domain", "aws_opensearch_domain", "azurerm_search_service"]),
    (
        "gateway",
        &[
            "aws_lb",
            "aws_alb",
            "aws_elb",
            "aws_api_gateway_rest_api",
            "aws_apigatewayv2_api",
            "aws_cloudfront_distribution",
            "aws_nat_gateway",
            "aws_internet_gateway",
            "aws_networkfirewall_firewall",
            "azurerm_lb",
            "azurerm_application_gateway",
            "azurerm_api_management",
            "azurerm_frontdoor",
            "azurerm_cdn_frontdoor_profile",
            "azurerm_firewall",
            "azurerm_nat_gateway",
            "google_api_gateway_api",
            "google_compute_forwarding_rule",
            "google_compute_global_forwarding_rule",
            "google_compute_url_map",
            "kubernetes_ingress_v1",
        ],
    ),
    (
        "network",
        &[
            "aws_ec2_transit_gateway",
            "aws_vpn_gateway",
            "azurerm_public_ip",
            "azurerm_virtual_hub",
            "azurerm_virtual_wan",
            "azurerm_virtual_network_gateway",
        ],
    ),
    (
        "identity-provider",
        &["aws_cognito_user_pool", "azurerm_aadb2c_directory", "auth0_client", "google_identity_platform_config"],
    ),
    (
        "data-pipeline",
        &[
            "aws_glue_job",
            "aws_kinesis_firehose_delivery_stream",
            "azurerm_data_factory",
            "google_dataflow_job",
            "google_composer_environment",
        ],
    ),
    ("ml-model", &["aws_sagemaker_endpoint", "google_vertex_ai_endpoint"]),
];

/// What a resource with this type is.
pub(super) fn kind(resource: &str) -> Option<Kind> {
    let container = CONTAINERS.iter().find(|(name, ..)| *name == resource);
    let container = container.map(|(_, type_id, rank)| Kind { type_id, rank: *rank });
    container.or_else(|| {
        let found = COMPONENTS.iter().find(|(_, names)| names.contains(&resource));
        found.map(|(type_id, _)| Kind { type_id, rank: 0 })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::types;

    #[test]
    fn the_tables_name_types_and_each_resource_once() {
        let components = COMPONENTS.iter().flat_map(|(id, names)| names.iter().map(|name| (*name, *id)));
        let all: Vec<(&str, &str)> = components.chain(CONTAINERS.iter().map(|(name, id, _)| (*name, *id))).collect();
        let mut seen = HashSet::new();
        for (name, id) in all {
            assert!(types::COMPONENT_TYPES.contains(&id), "{id}");
            assert!(seen.insert(name), "{name}");
        }
    }
}
