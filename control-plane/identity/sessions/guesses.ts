import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { affected, type Db, rows } from '#control-plane/db/queries.ts'
import { rateKeyOfIp, tooMany } from '#control-plane/http/rate.ts'

interface Rule {
  windowS: number
  /** Wrong guesses in the window from one place. */
  most: number
  /** Wrong guesses in the window from all unknown networks together; above it each of them has `mostBeyond`. */
  ceiling: number
  mostBeyond: number
  /** Whether the window of the ceiling grows, fourfold with each block after the second, up to a day. */
  isGrowing?: boolean
}

const rules = {
  password: { windowS: 60, most: 10, ceiling: 30, mostBeyond: 1 },
  code: { windowS: 900, most: 10, ceiling: 30, mostBeyond: 0, isGrowing: true },
} satisfies Record<string, Rule>

/** The origin of a guess at an account. */
export interface Origin {
  /** A network, known devices in it, or one session. */
  place: string
  /** A session, or a network that the account has signed in from. */
  isKnown: boolean
  /** The network of a sign-in. */
  network?: string
}

export interface Guess {
  /** Takes the guess back, because it was right. */
  right(): Promise<void>
}

/** IPv4 by /24, IPv6 by /64. */
export const networkOf = (ip: string): string => {
  const key = rateKeyOfIp(ip)
  return key.includes(':') ? `${key}::/64` : `${key.slice(0, key.lastIndexOf('.'))}.0/24`
}

export const fingerprintOf = (userId: string, text: string): Buffer => hash('sha256', `${userId}\0${text}`, 'buffer')

const keyOf = (...parts: string[]) => hash('sha256', parts.join('\0'), 'buffer')
const recent = (windowS: number) =>
  sql`array(select t from unnest(g.times) t where t > clock_timestamp() - ${windowS} * interval '1 second')`

/** The window slides: a guess counts until it is as old as the window. Refused guesses do not count. */
const reserve = (here: Buffer, windowS: number, limit: number) => sql<{ at: string }>`
  insert into guesses as g (key, times, ends_at)
  values (${here}, array[clock_timestamp()], clock_timestamp() + ${windowS} * interval '1 second')
  on conflict (key) do update set times = ${recent(windowS)} || excluded.times, ends_at = excluded.ends_at
    where cardinality(${recent(windowS)}) < ${limit}
  returning times[cardinality(times)]::text as at`

const freeAgain = (key: Buffer, windowS: number) => sql<{ s: number | null }>`
  select ceil(extract(epoch from min(t) + ${windowS} * interval '1 second' - clock_timestamp()))::int as s
  from guesses g, unnest(${recent(windowS)}) t where g.key = ${key}`

const daysOfBlocks = 7
const longestWindowS = 86_400

/** Blocks of an account by guesses from everywhere, in the last days. */
const countBlocks = (blocks: Buffer) => sql<{ n: number }>`
  select cardinality(array(select t from unnest(g.times) t
  where t > clock_timestamp() - interval '${sql.lit(daysOfBlocks)} days'))::int as n from guesses g
  where g.key = ${blocks}`

/** One block lasts as long as its window: further refusals in it are no new one. */
const noteBlock = (blocks: Buffer, grownS: number) => sql`
  insert into guesses as g (key, times, ends_at)
  values (${blocks}, array[clock_timestamp()], clock_timestamp() + interval '${sql.lit(daysOfBlocks)} days')
  on conflict (key) do update set ends_at = excluded.ends_at,
    times = array(select t from unnest(g.times) t
    where t > clock_timestamp() - interval '${sql.lit(daysOfBlocks)} days')
      || excluded.times
    where g.times[cardinality(g.times)] < clock_timestamp() - ${grownS} * interval '1 second'`

/** Whether guesses at an account were refused for the first time. A block ends after an hour without a refusal. */
export async function isNewBlock(db: Db, userId: string): Promise<boolean> {
  const key = keyOf('blocked', userId)
  if (
    (await affected(db)`
      insert into guesses as g (key, times, ends_at)
      values (${key}, array[clock_timestamp()], clock_timestamp() + interval '1 hour')
      on conflict (key) do update set times = excluded.times, ends_at = excluded.ends_at
        where g.ends_at < clock_timestamp()`) === 1
  )
    return true
  await rows(db)`update guesses set ends_at = clock_timestamp() + interval '1 hour' where key = ${key}`
  return false
}

/**
 * Counts a guess as wrong before it is verified, so that concurrent guesses are limited too; `right` takes it back.
 * Throws a 429 when the place has no guess left. Guesses elsewhere do not reduce those of a known place.
 */
export async function takeGuess(
  platform: Pool,
  purpose: keyof typeof rules,
  account: string,
  { place, isKnown }: Origin,
): Promise<Guess> {
  const { windowS, most, ceiling, mostBeyond, isGrowing = false }: Rule = rules[purpose]
  const here = keyOf(purpose, account.toLowerCase(), place)
  const everywhere = keyOf(purpose, account.toLowerCase())
  await rows(platform)`
    delete from guesses where key in (
    select key from guesses where ends_at < clock_timestamp() limit 100 for update skip locked)`
  const blocks = keyOf(purpose, 'blocks', account.toLowerCase())
  const blocked = isGrowing ? await rows(platform, countBlocks(blocks)) : []
  const grownS = Math.min(longestWindowS, windowS * 4 ** Math.max(0, (blocked[0]?.n ?? 0) - 1))
  const counted = await rows(platform)<{ n: number }>`
    select cardinality(${recent(grownS)})::int as n from guesses g where g.key = ${everywhere}`
  const isBeyond = !isKnown && (counted[0]?.n ?? 0) >= ceiling
  const limit = isBeyond ? mostBeyond : most
  const [reserved] = limit > 0 ? await rows(platform, reserve(here, windowS, limit)) : []
  if (!reserved) {
    if (isBeyond && isGrowing) await rows(platform, noteBlock(blocks, grownS))
    const [free] = await rows(platform, limit > 0 ? freeAgain(here, windowS) : freeAgain(everywhere, grownS))
    throw tooMany({ limit: most, remaining: 0, retryAfterS: Math.max(1, free?.s ?? 1), isRefused: true })
  }
  const [all] = isKnown ? [] : await rows(platform, reserve(everywhere, grownS, ceiling))
  const takeBack = (key: Buffer, at: string) =>
    rows(platform)`update guesses set times = array_remove(times, ${at}::timestamptz) where key = ${key}`
  return {
    async right() {
      await takeBack(here, reserved.at)
      if (all) await takeBack(everywhere, all.at)
    },
  }
}
