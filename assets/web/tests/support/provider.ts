/** A real identity provider on this machine: one signs in there with a name and any password, and agrees. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
// @ts-expect-error it has no types of its own
import Provider from 'oidc-provider';

const CLIENT = { id: 'planroom', secret: 'secret-of-stories-and-no-other-thing' };

export interface IdentityProvider {
  /** What a server needs in its environment to know this one. */
  env: Record<string, string>;
  /** Has it send browsers back to this server. */
  serve: (url: string) => void;
  end: () => void;
}

/** Starts one on which `name@example.org` is whoever signs in as `name`. Groups are what `groups` says of a name. */
export async function startProvider(
  groups: (name: string) => string[] = () => [],
): Promise<IdentityProvider> {
  let served = 'http://127.0.0.1:1';
  const server: Server = createServer((request, response) => void callback(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const build = () => {
    const { warn } = console;
    // It warns of what stories want: nothing is kept, and its pages are only for trying things out.
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
      // Said, or it warns of each.
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        // Longer than a credential may last here, so that it is a hint at once.
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

/** On the provider's own pages: signs in, and agrees. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** On the provider's own page: agrees to be signed out there. */
export async function signOutAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
}
