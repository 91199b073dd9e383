"""A client with the Python package mcp and revision 2026-07-28."""

import asyncio
import os
import time
import urllib.parse
import urllib.request

import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

URL = os.environ["PLANROOM_URL"]


def control(task: str, text: str = "") -> str:
    """Requests an action from the control server."""
    with urllib.request.urlopen(f"{os.environ['PLANROOM_CONTROL']}/{task}", text.encode()) as answer:
        return answer.read().decode()


class CredentialStore:
    """In-memory storage of an OAuth client, with the browser of the control server."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    asked = 0

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def open_browser(self, address: str) -> None:
        self.asked += 1
        self.went = urllib.parse.urlsplit(await asyncio.to_thread(control, "consent", address)).query

    async def await_callback(self) -> AuthorizationCodeResult:
        variables = dict(urllib.parse.parse_qsl(self.went))
        return AuthorizationCodeResult(code=variables["code"], state=variables["state"], iss=variables["iss"])


async def revoke(credentials: CredentialStore, token: str) -> None:
    async with httpx2.AsyncClient() as client:
        fields = {"client_id": credentials.client.client_id, "token": token}
        (await client.post(f"{URL}/oauth/revoke", data=fields)).raise_for_status()


async def main() -> None:
    credentials = CredentialStore()
    described = OAuthClientMetadata(client_name="Python", redirect_uris=["http://127.0.0.1:33421/callback"])
    provider = OAuthClientProvider(f"{URL}/mcp", described, credentials, credentials.open_browser, credentials.await_callback)
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        # 401, discovery, registration, PKCE, consent, starting from the URL only.
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client:
            assert client.protocol_version == "2026-07-28", client.protocol_version
            assert (credentials.asked, control("connectedApps")) == (1, "Python")

            async def call(tool: str, **arguments: object) -> dict:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer
                return answer.structured_content

            assert len((await client.list_tools()).tools) >= 20
            assert (await call("get_me"))["login"] == "ada"

            # Writes, and reads the result after a server crash.
            await call("create_workspace", id="shop", name="Shop")
            component = {"id": "web", "typeId": "service", "name": "Web"}
            await call("upsert_components", workspaceId="shop", components=[component])
            await asyncio.to_thread(control, "kill")
            found = await call("get_components", workspaceId="shop", componentIds=["web"])
            assert [one["name"] for one in found["components"]] == ["Web"]
            read = await client.read_resource("planroom://workspaces/shop/diagram")
            assert "flowchart" in read.contents[0].text

            # An expired access token is refreshed without user interaction.
            before = credentials.tokens
            provider.context.token_expiry_time = time.time() - 1
            await call("get_me")
            assert credentials.tokens.access_token != before.access_token
            assert credentials.tokens.refresh_token != before.refresh_token
            assert credentials.asked == 1

            # After revocation, the user must authorize it again.
            await revoke(credentials, credentials.tokens.refresh_token)
            assert control("connectedApps") == ""
            await call("get_me")
            assert credentials.asked == 2

        # An older revision.
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http), mode="legacy") as client:
            assert client.protocol_version == "2025-11-25", client.protocol_version
            assert len((await client.list_tools()).tools) >= 20


asyncio.run(main())
