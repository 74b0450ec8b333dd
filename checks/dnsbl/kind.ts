import { z } from 'zod'
import { ipVersion, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { blockLists, listIds } from './lists.ts'

/** Addresses of the host, and its domain. */
export const maxSubjects = 33

const Entry = z.object({
  list: z.enum(listIds).meta({ id: 'BlockList' }),
  state: z.enum(['clean', 'listed', 'refused', 'failed']).meta({
    description:
      '`refused`: the list does not answer this region. `failed`: it could not be asked. Neither is a listing.',
  }),
  /** The listed addresses and domain. */
  listed: z.array(z.string().max(253)).max(maxSubjects),
  /** The codes of the list's answer, if any. */
  codes: z.array(z.string().max(45)).max(16),
  meaning: z.string().max(300).nullable(),
  is_policy: z.boolean().meta({ description: 'Whether it is listed only for the kind of address it is.' }),
})

const nameOf = (id: string) => blockLists.find(list => list.id === id)?.name ?? id

export const dnsbl = checkKind({
  name: 'dnsbl',
  summary: 'No block list names the addresses or the domain of the host',
  offered: { website: 'possible', host: 'possible' },
  every: { default: 21_600, min: 900 },
  severity: 'minor',
  settings: z.object({
    lists: z
      .array(z.enum(listIds))
      .min(1)
      .max(listIds.length)
      .refine(lists => new Set(lists).size === lists.length, 'Names a list twice.')
      .default([...listIds])
      .meta({ description: 'The block lists to ask.' }),
    count_policy: z.boolean().default(false).meta({
      description: 'Whether a listing counts that only states that an address should not send mail (Spamhaus PBL).',
    }),
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
  }),
  backtestable: ['count_policy'],
  seen: z.object({
    addresses: z.array(z.string().max(45)).max(maxSubjects),
    domain: z
      .string()
      .max(253)
      .nullable()
      .meta({ description: 'The registered domain of the host, for lists of domains.' }),
    lists: z.array(Entry).max(listIds.length),
  }),

  judge(seen, settings) {
    const listed = seen.lists.filter(
      ({ state, is_policy }) => state === 'listed' && (settings.count_policy || !is_policy),
    )
    if (listed.length) {
      const names = listed.map(({ list }) => nameOf(list))
      const subjects = [...new Set(listed.flatMap(entry => entry.listed))]
      return {
        status: 'warning',
        code: 'dnsbl_listed',
        reason:
          `${subjects.slice(0, 3).join(', ')} ${subjects.length === 1 ? 'is' : 'are'} on ` +
          `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}.`,
        event: 'warning.dnsbl_listing',
        depth: listed.length,
        details: { lists: names, subjects },
      }
    }
    if (seen.lists.length && seen.lists.every(({ state }) => state === 'refused' || state === 'failed'))
      return { status: 'unknown', code: 'dnsbl_unanswered', reason: 'No block list answered this region.' }
    return { status: 'up' }
  },

  responseMs: () => null,
})
