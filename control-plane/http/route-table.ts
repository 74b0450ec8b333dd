interface Entry<Target> {
  target: Target
  params: string[]
}

interface Node<Target> {
  named: Map<string, Node<Target>>
  param: Node<Target> | undefined
  entries: Map<string, Entry<Target>>
}

const newNode = <Target>(): Node<Target> => ({ named: new Map(), param: undefined, entries: new Map() })

export interface Found<Target> {
  target: Target
  params: Record<string, string>
}

/**
 * Finds what a request leads to. Routes are compared segment by segment and exactly as spelled; a name goes before a
 * parameter, so a name is never read as an id. Whole hosts go before all routes, whole folders after them. Our own and
 * not `@koa/router`, which tries each of 700 expressions in turn and is asked only once Koa has made a context.
 */
export class RouteTable<Target> {
  readonly #root = newNode<Target>()
  readonly #hosts: { has: (host: string) => boolean; target: Target }[] = []
  readonly #folders: { prefix: string; target: Target }[] = []
  /** Each operation as `GET /path/{name}`. */
  readonly operations: string[] = []

  /** `{name}` stands for any one segment that is not empty. */
  add(method: string, path: string, target: Target): void {
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
    if (node.entries.has(method)) throw new Error(`${method} ${path} is declared twice.`)
    node.entries.set(method, { target, params })
    this.operations.push(`${method} ${path}`)
  }

  /** Every method and path of the hosts for which `has` is true. */
  addHosts(has: (host: string) => boolean, target: Target): void {
    this.#hosts.push({ has, target })
  }

  /** Every method of a path, and where it ends with a slash of all below it that have no entry of their own. */
  addFolder(prefix: string, target: Target): void {
    this.#folders.push({ prefix, target })
  }

  /** What a request for a host, method and path leads to. */
  at(host: string, method: string, path: string): Found<Target> | undefined {
    for (const { has, target } of this.#hosts) if (has(host)) return { target, params: {} }
    const found = this.find(method, path)
    if (found) return found
    for (const { prefix, target } of this.#folders)
      if (prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix) return { target, params: {} }
    return undefined
  }

  /** The target of a route. */
  find(method: string, path: string): Found<Target> | undefined {
    const values: string[] = []
    const entry = descend(this.#root, path.split('/'), 0, values, ({ entries }) => entries.get(method))
    if (!entry) return undefined
    const params: Record<string, string> = {}
    for (let index = 0; index < values.length; index++) params[entry.params[index] as string] = values[index] as string
    return { target: entry.target, params }
  }

  /** The methods that lead anywhere from this path. */
  methods(path: string): string[] {
    return descend(this.#root, path.split('/'), 0, [], ({ entries }) => entries.size > 0 && [...entries.keys()]) || []
  }
}

/** What `pick` finds at the end of the path; `values`: of the parameters on the way. */
function descend<Target, Picked>(
  node: Node<Target>,
  segments: readonly string[],
  at: number,
  values: string[],
  pick: (node: Node<Target>) => Picked,
): Picked | undefined {
  if (at === segments.length) return pick(node)
  const segment = segments[at]!
  const named = node.named.size > 0 ? node.named.get(segment) : undefined
  const found = named && descend(named, segments, at + 1, values, pick)
  if (found || !node.param || segment === '') return found
  values.push(segment)
  const below = descend(node.param, segments, at + 1, values, pick)
  if (!below) values.pop()
  return below
}
