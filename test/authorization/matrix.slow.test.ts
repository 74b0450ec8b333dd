import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { type Answer, CallerUnderTest } from '#test/support/app.ts'
import { BrowserUnderTest } from '#test/support/browser-session.ts'
import { expected, suffices, type Target, targets, type Verdict } from './expected.ts'
import { actsAtOnce, type Operation, operations } from './operations.ts'
import { domainOf, type Principal, principalsFor } from './principals.ts'
import { makeToken, makeWorld, type World } from './world.ts'

const atOnce = 6
/**
 * Each operation meets each principal. Of the answers this principal should get from it, by whose data it asks for,
 * one is tried, and of the kinds of target with that answer one: both by turns, so that each operation meets each
 * kind, and each way in each principal with each kind (which is asserted). What decides is one guard for all
 * operations of a way in, so 25,900 cells find what all 155,400 would. WHOLE=1, set by hand: all kinds, and each
 * operation of resellers with each scope.
 */
const isWhole = process.env.WHOLE === '1'
const timeout = isWhole ? 2_400_000 : 900_000
function targetsFor(operation: Operation, principal: Principal, turn: number): readonly Target[] {
  if (isWhole) return targets
  const answers = [...Map.groupBy(targets, target => expected(principal, operation, target)).values()]
  const kinds = answers[turn % answers.length]!
  return [kinds[Math.floor(turn / answers.length) % kinds.length]!]
}
/** A token asks this often at most: less than it may in a minute. */
const callsOfAToken = 90
/** The codes of refused access; any other answer means that access was granted. */
const refusalCodes = new Set([
  'forbidden',
  'reseller_token_needed',
  'not_a_reseller',
  'missing_scope',
  'team_not_managed',
  'tenant_not_managed',
  'impersonation_refused',
  'tenant_suspended',
  'reauthentication_required',
])

function verdictOf({ status, body, text }: Answer, { guard, isUpload }: Operation): Verdict | string {
  if (status === 429 && isUpload) return 'in'
  if (status === 429 || status >= 500) return `${status} ${text.slice(0, 200)}`
  if (status === 401 && (body?.code === 'unauthenticated' || guard === 'scim')) return 401
  if (status === 400 && body?.message === 'X-Tenant-Id is not a valid UUID.') return 400
  if (status === 403 && refusalCodes.has(body?.code)) return 403
  if (status === 404 && guard === 'managed-team' && body?.message === 'Managed team not found.') return 404
  return 'in'
}

const teamOf = (world: World, target: Target) =>
  ({
    own: world.team.id,
    sister: world.sister.id,
    foreign: world.foreign.id,
    deleted: world.deleted.id,
    unknown: world.unknown,
    malformed: 'x',
  })[target]
const tenantOf = (world: World, target: Target) =>
  ({
    own: undefined,
    sister: world.sister.tenantId,
    foreign: world.foreign.tenantId,
    deleted: world.deleted.tenantId,
    unknown: world.unknown,
    malformed: 'x',
  })[target]

/**
 * One call that passes the guards if they allow it, and then does nothing: the body is refused, or the child
 * unknown.
 */
function ask(
  operation: Operation,
  { token, isByCookie = false }: { token: string | null; isByCookie?: boolean },
  world: World,
  target: Target,
): Promise<Answer> {
  const path = operation.path.replace('{managed_team}', teamOf(world, target)).replace(/\{\w+\}/g, () => randomUUID())
  const tenant = operation.guard === 'managed-team' ? undefined : tenantOf(world, target)
  const caller = isByCookie ? new BrowserUnderTest('', null, token ?? '') : new CallerUnderTest('', null, token)
  return caller.call(operation.method, path, operation.hasBody ? [] : undefined, {
    headers: { 'Sec-Fetch-Site': 'same-origin', ...(tenant !== undefined && { 'X-Tenant-Id': tenant }) },
  })
}

async function inTurns(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const open = [...tasks].reverse()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let task = open.pop(); task; task = open.pop()) await task()
    }),
  )
}

describe('who may do what', () => {
  test('every operation, by everybody, to every kind of target', { timeout }, async () => {
    const shared = await makeWorld()
    const unexpected: string[] = []
    const counts: Record<string, number> = {}
    const behind: Record<string, number> = {}
    let cells = 0
    const check = async (
      operation: Operation,
      principal: Principal,
      target: Target,
      world: World,
      token: string | null,
    ) => {
      const asked = () => ask(operation, { token, isByCookie: principal.browser !== undefined }, world, target)
      const first = await asked()
      // a store that is too slow on a busy machine decides nothing; asked again, it must
      const answer = first.status === 503 ? await asked() : first
      const verdict = verdictOf(answer, operation)
      const wanted = expected(principal, operation, target)
      cells++
      counts[verdict] = (counts[verdict] ?? 0) + 1
      if (verdict === 'in' && answer.status === 403)
        behind[`${operation.name} ${answer.body.code}`] = (behind[`${operation.name} ${answer.body.code}`] ?? 0) + 1
      if (verdict !== wanted)
        unexpected.push(
          `${operation.name} by ${principal.name} to ${target}: ${verdict}, not ${wanted} (${answer.status} ${answer.text.slice(0, 120)})`,
        )
    }
    const tokens = new Map<string, Promise<string | null>>()
    const sharedToken = (principal: Principal, { name, hasOwnRate }: Operation, place: number) => {
      const calls = place * (isWhole ? targets.length : 1)
      const key = `${principal.name} ${principal.scopes} ${hasOwnRate ? name : Math.floor(calls / callsOfAToken)}`
      const token = tokens.get(key) ?? principal.token()
      tokens.set(key, token)
      return token
    }
    const number = principalsFor(shared, operations[0]!).length
    const met = new Set<string>()
    await inTurns(
      operations.flatMap((operation, place) =>
        principalsFor(shared, operation).map((known, index) => async () => {
          for (const target of targetsFor(operation, known, place + index)) {
            met.add(`${operation.guard} ${known.name} ${target}`)
            // what is let in may end the world: it has one of its own
            const isLetIn = expected(known, operation, target) === 'in'
            const world = actsAtOnce(operation) && isLetIn ? await makeWorld() : shared
            const principal = world === shared ? known : principalsFor(world, operation)[index]!
            await check(
              operation,
              principal,
              target,
              world,
              await (world === shared ? sharedToken(principal, operation, place) : principal.token()),
            )
          }
        }),
      ),
    )
    console.log(
      `${operations.length} operations by ${number} principals by ${targets.length} targets: ${cells} cells, ${JSON.stringify(counts)}, unexpected ${unexpected.length}`,
    )
    if (Object.keys(behind).length > 0) console.log(`refused after the guards: ${JSON.stringify(behind)}`)
    expect(unexpected.slice(0, 40)).toEqual([])
    expect(cells).toBe(operations.length * number * (isWhole ? targets.length : 1))
    expect(cells).toBeGreaterThanOrEqual(isWhole ? 144_000 : 24_000)
    expect(number).toBeGreaterThanOrEqual(16)
    // the two ways in to which it matters whose data is asked for
    for (const guard of ['tenant', 'managed-team'])
      for (const { name } of principalsFor(shared, operations[0]!))
        expect(
          targets.filter(target => !met.has(`${guard} ${name} ${target}`)),
          `${guard} by ${name}`,
        ).toEqual([])
  })

  test('each scope of its domain alone, and others, on every operation of resellers', { timeout }, async () => {
    const world = await makeWorld()
    const ofResellers = operations.filter(({ guard }) => guard === 'reseller' || guard === 'managed-team')
    expect(resellerScopes).toHaveLength(36)
    const unexpected: string[] = []
    const met = new Set<string>()
    let cells = 0
    const tokenOf = ({ reseller: { tenantId, people } }: World, scope: string) =>
      makeToken({ kind: 'rk', tenantId, userId: people.owner ?? null, scopes: [scope] })
    const shared = new Map<string, Promise<string>>()
    const sharedToken = (scope: string, place: number) => {
      const key = `${scope} ${Math.floor(place / callsOfAToken)}`
      const token = shared.get(key) ?? tokenOf(world, scope)
      shared.set(key, token)
      return token
    }
    /** Those of its domain, and two others by turns: all others together are a principal's, above. */
    const scopesFor = ({ resellerScope = '' }: Operation, turn: number) => {
      const own = new Set(resellerScope.split(' ').map(domainOf))
      return resellerScopes.filter(
        (scope, index) => isWhole || own.has(domainOf(scope)) || (index + turn) % (resellerScopes.length / 2) === 0,
      )
    }
    await inTurns(
      ofResellers.flatMap((operation, place) =>
        scopesFor(operation, place).map(scope => async () => {
          const wanted = suffices([scope], operation.resellerScope ?? '') ? 'in' : 403
          const here = actsAtOnce(operation) && wanted === 'in' ? await makeWorld() : world
          const token = await (here === world ? sharedToken(scope, place) : tokenOf(here, scope))
          const answer = await ask(operation, { token }, here, 'own')
          const verdict = verdictOf(answer, operation)
          cells++
          met.add(scope)
          if (verdict !== wanted)
            unexpected.push(
              `${operation.name} with ${scope}: ${verdict}, not ${wanted} (${answer.status} ${answer.text.slice(0, 120)})`,
            )
        }),
      ),
    )
    console.log(
      `${met.size} scopes on ${ofResellers.length} operations of resellers: ${cells} cells, unexpected ${unexpected.length}`,
    )
    expect(unexpected.slice(0, 40)).toEqual([])
    expect(met.size).toBe(resellerScopes.length)
    // the least: a domain's three scopes, or two for an operation of any
    expect(cells).toBeGreaterThanOrEqual(ofResellers.length * (isWhole ? 36 : 4))
  })
})
