import { isIP } from 'node:net'
import { parse } from 'tldts'
import type { z } from 'zod'
import type { Probe, ProbeContext } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'
import type { Guard } from '#egress/guard.ts'
import { type ListAnswer, never, questionOf, readAnswers, type Subject, subjectOf } from './codes.ts'
import { type dnsbl, maxSubjects } from './kind.ts'
import { type BlockList, blockLists } from './lists.ts'

type Entry = z.input<typeof dnsbl.seen>['lists'][number]

const maxAddresses = maxSubjects - 1
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

/** All addresses of the host, of both families, even if this region cannot reach them. */
async function addressesOf(
  host: string,
  version: 'any' | '4' | '6',
  { guard, signal }: ProbeContext,
): Promise<string[]> {
  const families = version === 'any' ? ([4, 6] as const) : ([version === '4' ? 4 : 6] as const)
  const found = await Promise.allSettled(families.map(family => guard.resolve(host, family, signal)))
  const addresses = found.flatMap(each => (each.status === 'fulfilled' ? each.value.map(({ address }) => address) : []))
  const failures = found.flatMap(each => (each.status === 'rejected' ? [failureOf(each.reason)] : []))
  const failure =
    failures.find(({ code }) => code === 'blocked') ??
    (addresses.length ? undefined : (failures.find(({ code }) => code !== 'dns_not_found') ?? failures[0]))
  if (failure) throw failure
  return [...new Set(addresses)].slice(0, maxAddresses)
}

type Answered = readonly string[] | undefined

/** The answer of one list for every subject it supports; undefined when it supports none of these. */
async function askList(
  list: BlockList,
  subjects: readonly Subject[],
  ask: (question: string) => Promise<Answered>,
): Promise<Entry | undefined> {
  const own = subjects.filter(({ kind }) => list.lists.includes(kind))
  if (own.length === 0) return undefined
  const reading = await Promise.all(
    own.map(async subject => {
      const answers = await ask(questionOf(subject, list.zone))
      return { subject, reading: answers && readAnswers(list, answers) }
    }),
  )
  const listed = reading.flatMap(({ subject, reading: each }) =>
    each?.code === 'listed' ? [{ subject, reading: each }] : [],
  )
  if (listed.length) {
    for (const kind of new Set(listed.map(({ subject }) => subject.kind))) {
      const control = await ask(questionOf(never[kind], list.zone))
      if (control && readAnswers(list, control).code === 'listed')
        return {
          ...entryOf(list, 'refused', listed),
          meaning: 'The list names everything it is asked for: it may have been given up.',
        }
    }
    const isPolicy = listed.every(({ reading: { isPolicy: is } }) => is)
    return {
      ...entryOf(list, 'listed', listed),
      listed: listed.map(({ subject }) => subject.text),
      is_policy: isPolicy,
    }
  }
  const refused = reading.flatMap(({ subject, reading: each }) =>
    each?.code === 'refused' ? [{ subject, reading: each }] : [],
  )
  if (refused.length) return entryOf(list, 'refused', refused)
  return entryOf(list, reading.some(each => each.reading === undefined) ? 'failed' : 'clean', [])
}

function entryOf(
  list: BlockList,
  state: Entry['state'],
  reading: readonly { reading: Exclude<ListAnswer, { code: 'clean' }> }[],
): Entry {
  return {
    list: list.id,
    state,
    listed: [],
    codes: [...new Set(reading.flatMap(each => each.reading.answers))].slice(0, 16),
    meaning: reading.length ? [...new Set(reading.map(each => each.reading.meaning))].join('; ').slice(0, 300) : null,
    is_policy: false,
  }
}

/** The answers to a query; empty when the name does not exist, undefined when unknown. */
async function answersTo(
  question: string,
  { guard, signal }: { guard: Guard; signal: AbortSignal },
): Promise<Answered> {
  try {
    return await guard.resolveCodes(question, signal)
  } catch (error) {
    return error instanceof RunFailure && error.code === 'dns_not_found' ? [] : undefined
  }
}

/** Limits concurrency; the other calls wait. */
function slots(max: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await task()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
