import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { questionOf, readAnswers, subjectOf } from '#checks/dnsbl/codes.ts'
import { dnsbl } from '#checks/dnsbl/kind.ts'
import { blockLists, listIds } from '#checks/dnsbl/lists.ts'
import { dnsblReport } from '#checks/dnsbl/report.ts'
import { noPhases } from '#contract/check.ts'

type Entry = z.input<typeof dnsbl.seen>['lists'][number]
const entry = (list: Entry['list'], state: Entry['state'], more: Partial<Entry> = {}): Entry => ({
  list,
  state,
  listed: state === 'listed' ? ['192.0.2.1'] : [],
  codes: [],
  meaning: null,
  is_policy: false,
  ...more,
})

describe('judge', () => {
  test.each<[string, Entry[], z.input<typeof dnsbl.settings>, string]>([
    ['on no list', [entry('spamcop', 'clean'), entry('psbl', 'clean')], {}, 'up'],
    ['on one', [entry('spamcop', 'clean'), entry('psbl', 'listed')], {}, 'dnsbl_listed'],
    ['a list that refuses is no listing', [entry('spamhaus_zen', 'refused'), entry('psbl', 'clean')], {}, 'up'],
    ['nor is one that fails', [entry('spamhaus_zen', 'failed'), entry('psbl', 'clean')], {}, 'up'],
    ['no list answers', [entry('spamhaus_zen', 'failed'), entry('psbl', 'refused')], {}, 'dnsbl_unanswered'],
    ['listed for the kind of address it is', [entry('spamhaus_zen', 'listed', { is_policy: true })], {}, 'up'],
    [
      'the same, for a sender of mail',
      [entry('spamhaus_zen', 'listed', { is_policy: true })],
      { count_policy: true },
      'dnsbl_listed',
    ],
    ['no list for such a host', [], {}, 'up'],
  ])('%s', (_, lists, settings, outcome) => {
    const seen = dnsbl.seen.parse({ addresses: ['192.0.2.1'], domain: null, lists })
    const verdict = dnsbl.judge(seen, dnsbl.settings.parse(settings), { at: new Date(), phases: noPhases })
    expect(verdict.code ?? verdict.status).toBe(outcome)
  })

  test('says who is on which, and goes deeper with each', () => {
    const lists = [entry('psbl', 'listed'), entry('spamcop', 'listed', { listed: ['192.0.2.1', '192.0.2.2'] })]
    const seen = dnsbl.seen.parse({ addresses: ['192.0.2.1', '192.0.2.2'], domain: null, lists })
    expect(dnsbl.judge(seen, dnsbl.settings.parse({}), { at: new Date(), phases: noPhases })).toMatchObject({
      reason: '192.0.2.1, 192.0.2.2 are on Passive Spam Block List, SpamCop.',
      event: 'warning.dnsbl_listing',
      depth: 2,
      details: { lists: ['Passive Spam Block List', 'SpamCop'], subjects: ['192.0.2.1', '192.0.2.2'] },
    })
  })
})

test.each<[unknown, boolean]>([
  [{}, true],
  [{ lists: ['spamcop'] }, true],
  [{ lists: [...listIds] }, true],
  [{ lists: [] }, false],
  [{ lists: ['spamcop', 'spamcop'] }, false],
  [{ lists: ['zone.of.my.own.example'] }, false],
])('settings %j', (settings, isGood) => expect(dnsbl.settings.safeParse(settings).success).toBe(isGood))

test('the report names for each list where to go', () => {
  const seen = dnsbl.seen.parse({
    addresses: ['192.0.2.1'],
    domain: null,
    lists: [entry('psbl', 'listed'), entry('spamcop', 'refused')],
  })
  const shown = dnsblReport.latest.parse(dnsblReport.view(seen))
  expect(shown.lists).toMatchObject([
    { list: 'psbl', state: 'listed', zone: 'psbl.surriel.com', about: 'https://psbl.org/' },
    { list: 'spamcop', name: 'SpamCop' },
  ])
})

test('the lists are whole', () => {
  expect(blockLists.map(({ id }) => id)).toEqual([...listIds])
  expect(new Set(blockLists.map(({ zone }) => zone)).size).toBe(blockLists.length)
  for (const list of blockLists) {
    expect(list.zone).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    expect(list.about).toMatch(/^https:/)
    for (const code of Object.keys(list.codes ?? {}))
      expect(readAnswers(list, [code]).code, `${list.id} ${code}`).toBe('listed')
  }
})

const list = (id: string) => blockLists.find(each => each.id === id)!
test.each<[string, string[], string, string | undefined]>([
  ['spamhaus_zen', [], 'clean', undefined],
  ['spamhaus_zen', ['127.0.0.2', '127.0.0.4'], 'listed', 'SBL: a source of spam; XBL: an infected or open machine'],
  ['spamhaus_zen', ['127.0.0.10'], 'listed', 'PBL: not meant to send mail, by its provider'],
  [
    'spamhaus_zen',
    ['127.255.255.254'],
    'refused',
    'The list answers no public resolvers: the region needs a resolver of its own.',
  ],
  ['spamhaus_zen', ['127.255.255.255'], 'refused', 'The list was asked too often.'],
  ['spamhaus_zen', ['127.255.255.252', '127.0.0.2'], 'refused', 'The name of the zone is misspelt.'],
  ['spamhaus_zen', ['127.255.0.1'], 'refused', 'The list refused to answer.'],
  ['spamhaus_dbl', ['127.0.1.2'], 'listed', 'a domain of spam'],
  ['spamhaus_dbl', ['127.0.1.255'], 'refused', 'The list knows no addresses.'],
  ['surbl', ['127.0.0.24'], 'listed', 'a domain of phishing; a domain of malware'],
  ['surbl', ['127.0.0.1'], 'refused', 'The list does not answer this resolver.'],
  ['uribl', ['127.0.0.2'], 'listed', 'black: a domain of spam'],
  ['blocklist_de', ['127.0.0.9'], 'listed', 'listed'],
  ['psbl', ['203.0.113.7'], 'refused', 'The list answered with an address that is no code: it may have been given up.'],
])('%s answering %j', (id, answers, code, meaning) => {
  const said = readAnswers(list(id), answers)
  expect([said.code, said.code === 'clean' ? undefined : said.meaning]).toEqual([code, meaning])
})

test.each([
  ['192.0.2.99', '99.2.0.192.z.example'],
  ['2001:db8::1', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.z.example`],
  ['example.com', 'example.com.z.example'],
])('%s is asked for as %s', (text, question) => expect(questionOf(subjectOf(text), 'z.example')).toBe(question))
