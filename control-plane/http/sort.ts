import { z } from 'zod'

const SortDirection = z.enum(['asc', 'desc']).meta({ id: 'SortDirection' })
type Direction = z.infer<typeof SortDirection>

/**
 * `sort` and `sort_dir` of every sortable list: a name sorts in its usual direction, `-name` descending, and `sort_dir`
 * decides where it is present. The first name is the default.
 */
export function sorting<const Name extends string>(names: readonly [Name, ...Name[]], descending: readonly Name[]) {
  const ascending = names.filter(name => !descending.includes(name))
  const defaults = [
    `By default descending for ${descending.map(name => `\`${name}\``).join(', ')}`,
    ascending.length > 0 ? ', ascending for all others.' : '.',
  ].join('')
  return {
    query: {
      sort: z
        .enum([...names, ...names.map(name => `-${name}`)] as [string, ...string[]])
        .default(names[0])
        .meta({ description: 'With `-` in front descending.' }),
      sort_dir: SortDirection.optional().meta({ description: defaults }),
    },
    orderOf({ sort, sort_dir }: { sort: string; sort_dir?: Direction | undefined }): {
      name: Name
      direction: Direction
    } {
      const isReversed = sort.startsWith('-')
      const name = names.find(known => known === (isReversed ? sort.slice(1) : sort)) ?? names[0]
      return { name, direction: sort_dir ?? (isReversed || descending.includes(name) ? 'desc' : 'asc') }
    },
  }
}
