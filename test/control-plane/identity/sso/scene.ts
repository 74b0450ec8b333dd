import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { startControlPlane } from '#cli/serve/serve.ts'
import { encryptClientSecret } from '#control-plane/identity/sso/client-secret.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { configOn } from '#test/support/config.ts'
import { LyingProvider } from './provider.ts'

const { platform } = app.services

/** A domain that no other test uses. */
export const aDomainName = () => `corp-${randomUUID()}.example.com`

/** A verified domain of a team, put into the table. */
export async function aVerifiedDomain(team: { tenantId: string }, domain = aDomainName()): Promise<string> {
  await platform.query(
    `insert into sso_domains (id, tenant_id, domain, txt_token, verified_at, next_check_at)
     values ($1, $2, $3, 'token', now(), null)`,
    [randomUUID(), team.tenantId, domain],
  )
  return domain
}

interface ProviderOfTeam {
  issuer: string
  clientId: string
  clientSecret: string
}

/** The provider of a team, put into the table: the API of the tests reaches no private address. */
export async function setProvider(
  team: { tenantId: string },
  { issuer, clientId, clientSecret }: ProviderOfTeam,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const encrypted = encryptClientSecret(app.services.config, team.tenantId, clientSecret)
  const values = { issuer, client_id: clientId, client_secret: encrypted, is_enabled: true, ...changes }
  const names = Object.keys(values)
  await platform.query(
    `insert into sso_configs (tenant_id, ${names.join(', ')})
     values ($1, ${names.map((_, n) => `$${n + 2}`).join(', ')})
     on conflict (tenant_id) do update set ${names.map(name => `${name} = excluded.${name}`).join(', ')}`,
    [team.tenantId, ...Object.values(values)],
  )
}

/** A control plane that reaches providers on loopback. */
export async function openPlane() {
  return startControlPlane(configOn(app.stores, { egressAllow: '127.0.0.0/8', trustedProxies: 1 }), ['api'])
}

/** A browser without scripts: its cookies, and requests that follow no redirects. */
export class Tab {
  readonly cookies = new Map<string, string>()
  readonly #baseUrl: string
  readonly #ip = `203.0.113.${Math.floor(Math.random() * 250)}:${randomUUID()}`.split(':')[0]!

  readonly #host: string | undefined

  /** `host`: of a portal that it asks in place of the address. */
  constructor(baseUrl: string, host?: string) {
    this.#baseUrl = baseUrl
    this.#host = host
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.#ask(path, { method: 'GET', headers })
  }

  /** Sends a form from a page of ours. */
  post(path: string, fields: Record<string, string>) {
    return this.#ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields).toString(),
    })
  }

  async #ask(
    path: string,
    { headers, ...sent }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  ) {
    const {
      statusCode: status,
      headers: received,
      body,
    } = await request(this.#baseUrl + path, {
      ...sent,
      headers: {
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-Forwarded-For': this.#ip,
        ...(this.#host !== undefined && { Host: this.#host }),
        ...headers,
      },
    })
    for (const cookie of [received['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    return { status, text: await body.text(), location: String(received.location ?? '') }
  }
}

/** A team with a provider and a verified domain. */
export async function aTeamWithProvider(
  changes: Record<string, unknown> = {},
  options: Parameters<typeof given.tenant>[0] = {},
) {
  const team = await given.tenant(options)
  const provider = await LyingProvider.open()
  const domain = await aVerifiedDomain(team)
  await setProvider(team, provider, changes)
  return { team, provider, domain }
}

/** What a provider says of a new person of a domain. */
export const aPersonOf = (domain: string) => ({
  sub: randomUUID(),
  email: `pat.${randomUUID().slice(0, 8)}@${domain}`,
  email_verified: true,
  name: 'Pat Person',
})

export async function attemptsOf(team: CallerUnderTest): Promise<{ outcome: string; detail: string | null }[]> {
  return (await team.get('/sso/attempts')).body.data
}
