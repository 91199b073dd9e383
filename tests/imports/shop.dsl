/*
 * A shop.
 */
workspace "Shop" "Sells \"things\"." {

    !identifiers hierarchical
    !const HOST shop.example.org

    model {
        properties {
            structurizr.groupSeparator /
        }

        archetypes {
            application = container {
                technology "Java 21"
                tag "Application"
            }
            https = -> {
                technology "HTTPS"
            }
        }

        # People come first.
        customer = person "Customer" "Buys things." "Buyer"

        group "Acme" {
            group "Online" {
                shop = softwareSystem "Shop # {" {
                    url https://${HOST}/docs
                    !docs docs
                    web = container "Web" "Storefront" "TypeScript" "Web Browser"
                    api = application "API" "Takes orders" {
                        properties {
                            owner "Team Shop"
                            api.token abc123
                        }
                        perspectives {
                            "Security" "Behind a proxy"
                        }
                        orders = component "Orders" {
                            description """
                                # Orders
                                Takes them.
                            """
                            group "Core"
                        }
                        this -> web "Delivers pages to"
                    }
                    db = container "Database" \
                        "Keeps orders" "PostgreSQL 15"
                    events = Container "Events" "" "Apache Kafka"
                    web --https-> api "Calls" {
                        tag "Important"
                    }
                }
            }
            softwareSystem "Database" "Not the one above" "External"
        }
        mail = softwareSystem "Mail" "" "External"

        customer -> shop.web "Buys with"
        shop.api -> shop.db "Reads from and writes to" "JDBC"
        shop.api.orders -> shop.events "Publishes to"
        send = shop.api -> mail "Sends mail with" "SMTP"
        shop.api -> nowhere "Is an error"
        shop.web -/> mail

        !element shop.db {
            tag "Critical"
        }
        !elements "element.type==container" {
            properties {
                tier 1
            }
        }

        live = deploymentEnvironment "Live" {
            deploymentNode "Cloud" "" "AWS" {
                a = deploymentNode "Host" "" "Linux" "" 2 {
                    containerInstance shop.api
                    instanceOf shop.web
                }
                b = deploymentNode "Standby" {
                    containerInstance shop.api
                }
                lb = infrastructureNode "Load balancer" "" "nginx"
                lb -> a "Forwards to"
                a -> b "Replicates to"
            }
        }
    }

    views {
        systemContext shop "Context" {
            include *
            autoLayout
        }
        image shop {
            image https://example.org/a.png
        }
        dynamic shop "Order" "Places an order" {
            title "Place an order"
            1: customer -> shop.web "Chooses"
            shop.web -> shop.api
            {
                {
                    shop.api -> shop.db "Stores"
                    shop.db -> shop.api "Stored"
                }
                {
                    send
                }
            }
        }
        styles {
            element "Application" {
                shape RoundedBox
            }
            element "Web Browser" {
                shape WebBrowser
            }
        }
    }

    configuration {
        users {
            ada@example.org write
        }
    }
}
