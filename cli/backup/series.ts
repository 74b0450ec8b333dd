import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readHeader } from './folder.ts'
import type { Header } from './format.ts'

export interface SeriesOptions {
  /** A whole backup is made when the newest whole one is so many days old; 0: each one is whole. */
  wholeEveryDays: number
  /** How long a backup is kept. The newest is always kept, and a whole one as long as a difference to it. */
  keepDays: number
}

const dayMs = 86_400_000
const nameOf = (at: Date) => `vedette-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
const ofSeries = /^vedette-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const interrupted = /^vedette-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.partial$/

interface Member {
  name: string
  header: Header
  madeAt: number
}

/** The backups of a series, oldest first. A folder that is no backup is left alone. */
async function membersOf(into: string): Promise<Member[]> {
  const members: Member[] = []
  for (const name of (await readdir(into)).filter(each => ofSeries.test(each)).sort()) {
    const header = await readHeader(join(into, name), name).catch(() => null)
    if (header) members.push({ name, header, madeAt: Date.parse(header.made_at) })
  }
  return members
}

/** Where the next backup of a series is made, and the whole one that it is the difference to, if any. */
export async function nextInSeries(
  into: string,
  { wholeEveryDays }: SeriesOptions,
  now = new Date(),
): Promise<{ folder: string; base: string | null }> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  const whole = (await membersOf(into)).findLast(({ header }) => header.base === null)
  const isYoung = whole !== undefined && now.getTime() - whole.madeAt < wholeEveryDays * dayMs
  return { folder: join(into, nameOf(now)), base: isYoung ? join(into, whole.name) : null }
}

/** Deletes what is too old, and what an interrupted backup left more than a day ago. Returns the folders. */
export async function trimSeries(into: string, { keepDays }: SeriesOptions, now = Date.now()): Promise<string[]> {
  const members = await membersOf(into)
  const kept = members.filter(({ madeAt }, at) => at === members.length - 1 || now - madeAt <= keepDays * dayMs)
  const needed = new Set(kept.flatMap(({ header }) => header.base?.id ?? []))
  const old = members.filter(member => !kept.includes(member) && !needed.has(member.header.id)).map(({ name }) => name)
  for (const name of (await readdir(into)).filter(each => interrupted.test(each)))
    if (now - (await stat(join(into, name))).mtimeMs > dayMs) old.push(name)
  for (const name of old) await rm(join(into, name), { recursive: true, force: true })
  return old.map(name => join(into, name))
}
