import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { type Answer, CallerUnderTest } from '#test/support/app.ts'
import { BrowserUnderTest } from '#test/support/browser-session.ts'
import { expected, suffices, type Target, targets, type Verdict } from './expected.ts'
import { actsAtOnce, type Operation, operations } from './operations.ts'
import { type Principal, principalsFor } from './principals.ts'
import { makeToken, makeWorld, type World } from './world.ts'

const atOnce = 6
const isWhole = process.env.WHOLE === '1'
const timeout = isWhole ? 2_400_000 : 900_000
/**
 * Of the kinds of target to which a principal should get one and the same answer, an operation meets one, by turns:
 * each kind meets each operation and each principal. WHOLE=1, as in the gate: all kinds.
 */
function targetsFor(operation: Operation, principal: Principal, turn: number): readonly Target[] {
  if (isWhole) return targets
  const alike = Map.groupBy(targets, target => expected(principal, operation, target))
  return [...alike.values()].map(kinds => kinds[turn % kinds.length]!)
}
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
      const answer = await ask(operation, { token, isByCookie: principal.browser !== undefined }, world, target)
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
    // one for so many operations that no minute has more than a token may ask
    const tokens = new Map<string, Promise<string | null>>()
    const sharedToken = (principal: Principal, { name, hasOwnRate }: Operation, place: number) => {
      const key = `${principal.name} ${principal.scopes} ${hasOwnRate ? name : Math.floor(place / 15)}`
      const token = tokens.get(key) ?? principal.token()
      tokens.set(key, token)
      return token
    }
    const number = principalsFor(shared, operations[0]!).length
    let wantedCells = 0
    await inTurns(
      operations.flatMap((operation, place) =>
        principalsFor(shared, operation).map((known, index) => async () => {
          const kinds = targetsFor(operation, known, place + index)
          wantedCells += kinds.length
          for (const target of kinds) {
            const world = actsAtOnce(operation) ? await makeWorld() : shared
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
    expect(cells).toBe(wantedCells)
    expect(cells).toBeGreaterThanOrEqual(isWhole ? 72_000 : 24_000)
    expect(number).toBeGreaterThanOrEqual(16)
  })

  test('each of the 36 scopes alone, on every operation of resellers', { timeout }, async () => {
    const world = await makeWorld()
    const ofResellers = operations.filter(({ guard }) => guard === 'reseller' || guard === 'managed-team')
    expect(resellerScopes).toHaveLength(36)
    const unexpected: string[] = []
    let cells = 0
    const tokenOf = ({ reseller: { tenantId, people } }: World, scope: string) =>
      makeToken({ kind: 'rk', tenantId, userId: people.owner ?? null, scopes: [scope] })
    // one for so many operations that no minute has more than a token may ask
    const shared = new Map<string, Promise<string>>()
    const sharedToken = (scope: string, place: number) => {
      const key = `${scope} ${Math.floor(place / 60)}`
      const token = shared.get(key) ?? tokenOf(world, scope)
      shared.set(key, token)
      return token
    }
    await inTurns(
      ofResellers.flatMap((operation, place) =>
        resellerScopes.map(scope => async () => {
          const here = actsAtOnce(operation) ? await makeWorld() : world
          const token = await (here === world ? sharedToken(scope, place) : tokenOf(here, scope))
          const answer = await ask(operation, { token }, here, 'own')
          const verdict = verdictOf(answer, operation)
          const wanted = suffices([scope], operation.resellerScope ?? '') ? 'in' : 403
          cells++
          if (verdict !== wanted)
            unexpected.push(
              `${operation.name} with ${scope}: ${verdict}, not ${wanted} (${answer.status} ${answer.text.slice(0, 120)})`,
            )
        }),
      ),
    )
    console.log(
      `36 scopes on ${ofResellers.length} operations of resellers: ${cells} cells, unexpected ${unexpected.length}`,
    )
    expect(unexpected.slice(0, 40)).toEqual([])
    expect(cells).toBe(ofResellers.length * 36)
  })
})
