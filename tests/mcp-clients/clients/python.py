"""The Python package mcp, as its users write a client: 2026-07-28 where the server speaks it."""

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


def desk(task: str, text: str = "") -> str:
    """Has something done by people."""
    with urllib.request.urlopen(f"{os.environ['PLANROOM_DESK']}/{task}", text.encode()) as answer:
        return answer.read().decode()


class Keeper:
    """Keeps in memory what a client of OAuth has to keep, and lets the desk's browser answer."""

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
        self.went = urllib.parse.urlsplit(await asyncio.to_thread(desk, "consent", address)).query

    async def await_callback(self) -> AuthorizationCodeResult:
        told = dict(urllib.parse.parse_qsl(self.went))
        return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])


async def revoke(keeper: Keeper, token: str) -> None:
    async with httpx2.AsyncClient() as client:
        fields = {"client_id": keeper.client.client_id, "token": token}
        (await client.post(f"{URL}/oauth/revoke", data=fields)).raise_for_status()


async def main() -> None:
    keeper = Keeper()
    described = OAuthClientMetadata(client_name="Python", redirect_uris=["http://127.0.0.1:33421/callback"])
    provider = OAuthClientProvider(f"{URL}/mcp", described, keeper, keeper.open_browser, keeper.await_callback)
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        # 401, discovery, registration, PKCE, consent: all that is known is the address.
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client:
            assert client.protocol_version == "2026-07-28", client.protocol_version
            assert (keeper.asked, desk("programs")) == (1, "Python")

            async def call(tool: str, **arguments: object) -> dict:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer
                return answer.structured_content

            assert len((await client.list_tools()).tools) >= 20
            assert (await call("get_me"))["login"] == "ada"

            # It writes, and reads what it wrote, with a power cut in between.
            await call("create_workspace", id="shop", name="Shop")
            component = {"id": "web", "typeId": "service", "name": "Web"}
            await call("upsert_components", workspaceId="shop", components=[component])
            await asyncio.to_thread(desk, "kill")
            found = await call("get_components", workspaceId="shop", componentIds=["web"])
            assert [one["name"] for one in found["components"]] == ["Web"]
            read = await client.read_resource("planroom://workspaces/shop/diagram")
            assert "flowchart" in read.contents[0].text

            # An access token whose hour is over is renewed without anybody being asked.
            before = keeper.tokens
            provider.context.token_expiry_time = time.time() - 1
            await call("get_me")
            assert keeper.tokens.access_token != before.access_token
            assert keeper.tokens.refresh_token != before.refresh_token
            assert keeper.asked == 1

            # Once it is out, somebody has to let it in again.
            await revoke(keeper, keeper.tokens.refresh_token)
            assert desk("programs") == ""
            await call("get_me")
            assert keeper.asked == 2

        # As older programs speak.
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http), mode="legacy") as client:
            assert client.protocol_version == "2025-11-25", client.protocol_version
            assert len((await client.list_tools()).tools) >= 20


asyncio.run(main())
