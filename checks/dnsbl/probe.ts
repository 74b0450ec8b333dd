import { isIP } from 'node:net'
import { parse } from 'tldts'
import type { z } from 'zod'
import type { Probe, Reach } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import { never, questionOf, readAnswers, type Said, type Subject, subjectOf } from './codes.ts'
import type { dnsbl } from './kind.ts'
import { type BlockList, blockLists } from './lists.ts'

type Entry = z.input<typeof dnsbl.seen>['lists'][number]

const maxAddresses = 8
const maxAtOnce = 24

export const probeDnsbl: Probe<typeof dnsbl> = async (target, settings, reach) => {
  const start = performance.now()
  const { host } = hostOf(target)
  const addresses = await addressesOf(host, settings.ip_version, reach)
  const found = performance.now() - start
  const domain = isIP(host) ? null : parse(host.replace(/\.$/, '')).domain
  const subjects = [...addresses, ...(domain ? [domain] : [])].map(subjectOf)
  const take = slots(maxAtOnce)
  const asked = blockLists.filter(({ id }) => settings.lists.includes(id))
  const lists = await Promise.all(
    asked.map(list => askList(list, subjects, question => take(() => answersTo(question, reach)))),
  )
  return {
    seen: { addresses, domain, lists: lists.flatMap(entry => entry ?? []) },
    phases: {
      dns: isIP(host) ? null : found,
      connect: null,
      tls: null,
      first_byte: null,
      total: performance.now() - start,
    },
  }
}

/** All addresses of the host, of either family, whether or not this region could reach them. */
async function addressesOf(host: string, version: 'any' | '4' | '6', { guard, signal }: Reach): Promise<string[]> {
  const families = version === 'any' ? ([4, 6] as const) : ([version === '4' ? 4 : 6] as const)
  const found = await Promise.allSettled(families.map(family => guard.resolve(host, family, signal)))
  const addresses = found.flatMap(each => (each.status === 'fulfilled' ? each.value.map(({ address }) => address) : []))
  const failures = found.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  const isTold = (error: unknown) => !(error instanceof RunFailure) || error.code !== 'dns_not_found'
  const failure =
    failures.find(error => error instanceof RunFailure && error.code === 'blocked') ??
    (addresses.length ? undefined : (failures.find(isTold) ?? failures[0]))
  if (failure) throw failure
  return [...new Set(addresses)].slice(0, maxAddresses)
}

type Answered = readonly string[] | undefined

/** What one list says of all that it lists; undefined when that is nothing of these. */
async function askList(
  list: BlockList,
  subjects: readonly Subject[],
  ask: (question: string) => Promise<Answered>,
): Promise<Entry | undefined> {
  const own = subjects.filter(({ kind }) => list.lists.includes(kind))
  if (own.length === 0) return undefined
  const said = await Promise.all(
    own.map(async subject => {
      const answers = await ask(questionOf(subject, list.zone))
      return { subject, said: answers && readAnswers(list, answers) }
    }),
  )
  const listed = said.flatMap(({ subject, said: each }) => (each?.code === 'listed' ? [{ subject, said: each }] : []))
  if (listed.length) {
    for (const kind of new Set(listed.map(({ subject }) => subject.kind))) {
      const control = await ask(questionOf(never[kind], list.zone))
      if (control && readAnswers(list, control).code === 'listed')
        return {
          ...entryOf(list, 'refused', listed),
          meaning: 'The list names everything it is asked for: it may have been given up.',
        }
    }
    const isPolicy = listed.every(({ said: { isPolicy: is } }) => is)
    return {
      ...entryOf(list, 'listed', listed),
      listed: listed.map(({ subject }) => subject.text),
      is_policy: isPolicy,
    }
  }
  const refused = said.flatMap(({ subject, said: each }) => (each?.code === 'refused' ? [{ subject, said: each }] : []))
  if (refused.length) return entryOf(list, 'refused', refused)
  return entryOf(list, said.some(each => each.said === undefined) ? 'failed' : 'clean', [])
}

function entryOf(
  list: BlockList,
  state: Entry['state'],
  said: readonly { said: Exclude<Said, { code: 'clean' }> }[],
): Entry {
  return {
    list: list.id,
    state,
    listed: [],
    codes: [...new Set(said.flatMap(each => each.said.answers))].slice(0, 16),
    meaning: said.length ? [...new Set(said.map(each => each.said.meaning))].join('; ').slice(0, 300) : null,
    is_policy: false,
  }
}

/** The answers to a question; none when there is no such name, undefined when nobody could say. */
async function answersTo(
  question: string,
  { guard, signal }: { guard: Guard; signal: AbortSignal },
): Promise<Answered> {
  try {
    return await guard.codes(question, signal)
  } catch (error) {
    return error instanceof RunFailure && error.code === 'dns_not_found' ? [] : undefined
  }
}

/** Lets so many run at once; the others wait their turn. */
function slots(max: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await act()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
