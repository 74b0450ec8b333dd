import { getPriority, setPriority } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

/*
 * The process that runs programs, one run at a time. It has no environment, writes no file and starts no process. Its
 * parent ends it at the bounds of a run. What computes without end after its parent has died ends by V8's own clock.
 */

export interface Order {
  file: string
  input: unknown
  /** Whether `run` makes a list, whose items are asked for one by one. */
  isList: boolean
  /** How long one step may compute. */
  stepMs: number
}
export type Message = Order | 'next'
export interface Thrown {
  name: string
  message: string
  fields: Record<string, unknown>
}
/** `isReady`: the code of the program is loaded, and runs from now on. */
export type Answer = { isReady: true } | { value: unknown } | { item: unknown } | { isOver: true } | { error: Thrown }

/** How much lower than the event loop that asked: on a machine that has nothing to spare it gets a third. */
const lower = 5
const lowest = 19
try {
  setPriority(Math.min(lowest, getPriority() + lower))
} catch {
  // a sandbox may forbid it: then both are equal
}

const answer = (message: Answer) => process.send?.(message)

const script = new Script('boundedStep()')

/** Does a step that may compute for so long; what it awaits is not counted. */
function within<Value>(ms: number, step: () => Value): Value {
  Object.assign(globalThis, { boundedStep: step })
  return script.runInThisContext({ timeout: ms })
}

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

function thrownBy(error: unknown): Thrown {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} }
  const fields = Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value)))
  return { name: error.constructor.name, message: error.message, fields }
}

let items: Iterator<unknown> | undefined
let stepMs = 0

async function begin(order: Order): Promise<void> {
  const { run } = (await import(pathToFileURL(order.file).href)) as { run(input: unknown): unknown }
  answer({ isReady: true })
  stepMs = order.stepMs
  const made = await within(stepMs, () => run(order.input))
  if (!order.isList) {
    answer({ value: made })
    return
  }
  items = (made as Iterable<unknown>)[Symbol.iterator]()
  next()
}

function next(): void {
  const step = within(stepMs, () => items?.next())
  answer(step && !step.done ? { item: step.value } : { isOver: true })
}

process.on('message', (message: Message) => {
  const work = async () => (message === 'next' ? next() : begin(message))
  work().catch(error => answer({ error: thrownBy(error) }))
})
process.on('disconnect', () => process.exit())
