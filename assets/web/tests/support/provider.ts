/** A real identity provider on this machine that accepts any name and password. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
// @ts-expect-error the package has no types
import Provider from 'oidc-provider';

const CLIENT = { id: 'planroom', secret: 'client-secret-for-tests' };

export interface IdentityProvider {
  /** Environment variables that configure Planroom to use this provider. */
  env: Record<string, string>;
  /** Sets the Planroom server to redirect to. */
  serve: (url: string) => void;
  end: () => void;
}

/** Starts a provider. The email address of the user `name` is `name@example.org`; `groups` returns their groups. */
export async function startProvider(
  groups: (name: string) => string[] = () => [],
): Promise<IdentityProvider> {
  let served = 'http://127.0.0.1:1';
  const server: Server = createServer((request, response) => void callback(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const build = () => {
    const { warn } = console;
    // Suppresses warnings about the in-memory storage and the development pages.
    console.warn = () => {};
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${served}/api/auth/oidc/callback`],
          post_logout_redirect_uris: [`${served}/sign-in`],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      pkce: { required: () => true },
      features: {
        rpInitiatedLogout: {
          logoutSource: (ctx: { body: string }, form: string) => {
            ctx.body = `<!doctype html><html lang="en"><title>Sign out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></html>`;
          },
        },
      },
      // Set explicitly to avoid warnings.
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        // Longer than our limit for credentials, so the token can only be used as a hint.
        IdToken: 7200,
        Interaction: 600,
        Session: 600,
      },
      cookies: { keys: ['keys of stories'] },
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username', 'groups'],
        email: ['email', 'email_verified'],
      },
      findAccount: (_: unknown, name: string) => ({
        accountId: name,
        claims: () => ({
          sub: name,
          name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)} Elsewhere`,
          preferred_username: name,
          email: `${name}@example.org`,
          email_verified: true,
          groups: groups(name),
        }),
      }),
    });
    console.warn = warn;
    return provider.callback();
  };
  let callback = build();
  return {
    env: {
      PLANROOM_IDENTITY_OIDC_ISSUER: issuer,
      PLANROOM_IDENTITY_OIDC_NAME: 'Engines’ directory',
      PLANROOM_IDENTITY_OIDC_CLIENT_ID: CLIENT.id,
      PLANROOM_IDENTITY_OIDC_CLIENT_SECRET: CLIENT.secret,
      PLANROOM_IDENTITY_OIDC_ALLOW_PRIVATE: 'true',
      PLANROOM_IDENTITY_OIDC_DEFAULT_ORG: 'analytical-engines',
    },
    serve: (url) => {
      served = url;
      callback = build();
    },
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signs in on the provider's pages and gives consent. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Confirms the sign-out on the provider's page. */
export async function signOutAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
}
