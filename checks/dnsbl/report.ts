import { z } from 'zod'
import { report } from '#checks/report.ts'
import { dnsbl } from './kind.ts'
import { blockLists } from './lists.ts'

const { lists } = dnsbl.seen.shape

export const dnsblReport = report(dnsbl, {
  statistic: 'dnsbl',
  summary: 'Read what block lists say of a monitor',
  description: 'Of its addresses and its domain.',
  latest: dnsbl.seen.extend({
    lists: z.array(
      lists.element.extend({
        name: z.string(),
        zone: z.string(),
        about: z.url().meta({ description: 'Where to read why, and to ask to be taken off.' }),
      }),
    ),
  }),
  view: seen => ({
    ...seen,
    lists: seen.lists.flatMap(entry => {
      const list = blockLists.find(({ id }) => id === entry.list)
      return list ? [{ ...entry, name: list.name, zone: list.zone, about: list.about }] : []
    }),
  }),
})
