type Host = (host: string) => boolean

interface Entry<Target> {
  target: Target
  params: string[]
  host: Host | undefined
}

interface Node<Target> {
  named: Map<string, Node<Target>>
  param: Node<Target> | undefined
  entries: Map<string, Entry<Target>[]>
}

const newNode = <Target>(): Node<Target> => ({ named: new Map(), param: undefined, entries: new Map() })

export interface Found<Target> {
  target: Target
  params: Record<string, string>
}

/**
 * Finds the target of a method and path, segment by segment and exactly as spelled. A name goes before a parameter, so
 * a name is never read as an id; a target of certain hosts goes before one of all hosts.
 */
export class RouteTable<Target> {
  readonly #root = newNode<Target>()
  /** Entries of paths without parameters. */
  readonly #plain = new Map<string, Entry<Target>[]>()
  #readsHosts = false
  /** Each operation as `GET /path/{name}`. */
  readonly operations: string[] = []

  /** `{name}` stands for any one segment that is not empty. `host`: the hosts that have this route, by default all. */
  add(method: string, path: string, target: Target, host?: Host): void {
    const params: string[] = []
    let node = this.#root
    for (const segment of path.split('/')) {
      if (segment.startsWith('{')) {
        params.push(segment.slice(1, -1))
        node.param ??= newNode()
        node = node.param
      } else {
        const next = node.named.get(segment) ?? newNode<Target>()
        node.named.set(segment, next)
        node = next
      }
    }
    const entries = node.entries.get(method) ?? []
    if (!host && entries.some(entry => !entry.host)) throw new Error(`${method} ${path} is declared twice.`)
    this.#readsHosts ||= host !== undefined
    if (host) entries.unshift({ target, params, host })
    else entries.push({ target, params, host })
    node.entries.set(method, entries)
    this.operations.push(`${method} ${path}`)
    if (params.length === 0) this.#plain.set(`${method} ${path}`, entries)
  }

  /** Whether any route is of certain hosts. */
  get readsHosts(): boolean {
    return this.#readsHosts
  }

  find(method: string, path: string, host = ''): Found<Target> | undefined {
    const plain = entryFor(this.#plain.get(`${method} ${path}`), host)
    if (plain) return { target: plain.target, params: {} }
    const values: string[] = []
    const isGoal = (node: Node<Target>) => entryFor(node.entries.get(method), host) !== undefined
    const entry = entryFor(descend(this.#root, path.split('/'), 0, values, isGoal)?.entries.get(method), host)
    return (
      entry && {
        target: entry.target,
        params: Object.fromEntries(entry.params.map((name, index) => [name, values[index] as string])),
      }
    )
  }

  /** The methods that lead anywhere from this path. */
  methods(path: string, host = ''): string[] {
    const methodsOf = (node: Node<Target>) =>
      [...node.entries].flatMap(([method, entries]) => (entryFor(entries, host) ? [method] : []))
    const node = descend(this.#root, path.split('/'), 0, [], found => methodsOf(found).length > 0)
    return node ? methodsOf(node) : []
  }
}

const entryFor = <Target>(entries: readonly Entry<Target>[] | undefined, host: string): Entry<Target> | undefined =>
  entries?.find(entry => !entry.host || entry.host(host))

function descend<Target>(
  node: Node<Target>,
  segments: readonly string[],
  at: number,
  values: string[],
  isGoal: (node: Node<Target>) => boolean,
): Node<Target> | undefined {
  if (at === segments.length) return isGoal(node) ? node : undefined
  const segment = segments[at]!
  const named = node.named.get(segment)
  const found = named && descend(named, segments, at + 1, values, isGoal)
  if (found || !node.param || segment === '') return found
  values.push(segment)
  const below = descend(node.param, segments, at + 1, values, isGoal)
  if (!below) values.pop()
  return below
}
