import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#control-plane/endpoints.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'

/** What answers show once, or what opens something without signing in. */
const credentials = /^(plain_text_token|accept_url|secret|shared_secret|otpauth_url|recovery_codes|ping_url|install)$/
/** What decides who belongs to a team, and how they sign in or get its mail. */
const access =
  /^\/(members|invitations|api-keys|api-tokens|scim-tokens|security-policy|sso|smtp-config|auth\/reseller-token)(\/|$)/

const takesAway = 'takes access away, and gives none'
const byHandler = 'its handler refuses sessions that are limited, as it acts on the account'
const ofMonitor = 'takes pings of one monitor alone, and every reader of the monitor sees it'
const onlyTests = 'tries a configuration, and stores nothing that gives access'

/** Endpoints that seem to leave access behind, and why a limited session may call them, or what refuses it. */
const others: Record<string, string> = {
  'DELETE /api-keys/{token}': takesAway,
  'DELETE /invitations/{invitation}': takesAway,
  'DELETE /scim-tokens/{scim_token}': takesAway,
  'DELETE /smtp-config': takesAway,
  'POST /smtp-config/test': onlyTests,
  'POST /sso/config/test': onlyTests,
  'POST /cron-monitors': ofMonitor,
  'PATCH /cron-monitors/{cron_monitor}': ofMonitor,
  'POST /cron-monitors/{cron_monitor}/rotate-url': ofMonitor,
  'POST /api-tokens': byHandler,
  'PATCH /api-tokens/{token}': byHandler,
  'POST /api-tokens/{token}/rotate': byHandler,
  'DELETE /api-tokens/{token}': byHandler,
  'POST /auth/reseller-token': byHandler,
  'POST /profile/mfa': byHandler,
  'POST /profile/mfa/confirm': byHandler,
  'POST /profile/mfa/recovery-codes': byHandler,
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The names of all fields that an answer can have. */
function fieldsOf({ returns }: Endpoint): Set<string> {
  const names = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') for (const name of Object.keys(inner)) names.add(name)
      walk(inner)
    }
  }
  walk(z.toJSONSchema(returns.schema, { io: 'input', unrepresentable: 'any' }))
  return names
}

/** Whether a member of a team, or its reseller in the team's place, may call it. */
const isOfTeam = ({ access: who }: Endpoint) =>
  who === 'session' || (typeof who === 'object' && who.tenant !== undefined)

const leavesAccess = (endpoint: Endpoint) =>
  endpoint.method !== 'GET' &&
  isOfTeam(endpoint) &&
  (access.test(endpoint.path) ||
    (endpoint.path.endsWith('/calendar') && endpoint.method === 'POST') ||
    (typeof endpoint.access === 'object' && endpoint.access.tenant === 'team:manage') ||
    [...fieldsOf(endpoint)].some(name => credentials.test(name)))

test('every endpoint that makes a lasting credential or gives access is refused to sessions limited to their team', () => {
  const found = endpoints.filter(leavesAccess)
  const open = found.filter(({ needsOwnSession }) => !needsOwnSession).map(nameOf)
  expect(open.sort()).toEqual(Object.keys(others).sort())
  expect(found.length).toBeGreaterThan(Object.keys(others).length + 15)
})

test('only endpoints of teams declare that they need an own session', () => {
  for (const endpoint of endpoints)
    if (endpoint.needsOwnSession) expect(leavesAccess(endpoint), nameOf(endpoint)).toBe(true)
})
