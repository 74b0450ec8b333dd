interface Node<Target> {
  named: Map<string, Node<Target>>
  param: Node<Target> | undefined
  targets: Map<string, { target: Target; params: string[] }>
}

const newNode = <Target>(): Node<Target> => ({ named: new Map(), param: undefined, targets: new Map() })

export interface Found<Target> {
  target: Target
  params: Record<string, string>
}

/** Finds what a path leads to, segment by segment and exactly as spelled. A name goes before a parameter, so a name never reads as an id. */
export class Routes<Target> {
  readonly #root = newNode<Target>()
  readonly #plain = new Map<string, Found<Target>>()
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
    if (node.targets.has(method)) throw new Error(`${method} ${path} is there twice.`)
    node.targets.set(method, { target, params })
    this.operations.push(`${method} ${path}`)
    if (params.length === 0) this.#plain.set(`${method} ${path}`, { target, params: {} })
  }

  find(method: string, path: string): Found<Target> | undefined {
    const plain = this.#plain.get(`${method} ${path}`)
    if (plain) return { target: plain.target, params: {} }
    const values: string[] = []
    const found = descend(this.#root, path.split('/'), 0, values, node => node.targets.has(method))?.targets.get(method)
    return (
      found && {
        target: found.target,
        params: Object.fromEntries(found.params.map((name, index) => [name, values[index] as string])),
      }
    )
  }

  /** The methods that lead anywhere from this path. */
  methods(path: string): string[] {
    const node = descend(this.#root, path.split('/'), 0, [], ({ targets }) => targets.size > 0)
    return node ? [...node.targets.keys()] : []
  }
}

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
