workspace "Bank" {

    model {
        customer = person "Customer" "Has accounts."
        bank = softwareSystem "Online Banking" "Shows accounts and makes payments." {
            web = container "Web App" "Pages of the bank." "Java" "Web Browser"
            mobile = container "Mobile App" "Accounts on the phone." "Kotlin" "Mobile"
            api = container "API" "Accounts and payments." "Java" {
                signin = component "Sign In"
                accounts = component "Accounts"
                alerts = component "Alerts"
            }
            db = container "Database" "Users and sessions." "PostgreSQL" "Database"
        }
        core = softwareSystem "Core Banking" "Keeps accounts." "External"
        mail = softwareSystem "Mail System" "Sends emails." "External"

        customer -> web "Views balances"
        customer -> mobile "Makes payments"
        web -> signin "Signs in" "JSON/HTTPS"
        mobile -> accounts "Reads" "JSON/HTTPS"
        api -> db "Reads and writes" "SQL"
        signin -> db "Finds users" "SQL"
        accounts -> core "Reads accounts" "XML/HTTPS"
        alerts -> mail "Sends emails"
        mail -> customer "Delivers emails"
    }

    views {
        systemLandscape "Landscape" {
            include *
            autoLayout
        }
        systemContext bank "Context" {
            include *
        }
        container bank "Containers" {
            include *
        }
    }
}
