import { getPriority, setPriority } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { type Thrown, thrownBy } from './errors.ts'

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
export type Message = Order | 'next' | { reply: number; value: unknown } | { reply: number; error: Thrown }
/**
 * `isReady`: the code of the program is loaded, and runs from now on. `question`: the program asks its caller, such as
 * for a page of the network, and goes on with the reply.
 */
export type Answer =
  | { isReady: true }
  | { value: unknown }
  | { item: unknown }
  | { isOver: true }
  | { question: unknown; number: number }
  | { error: Thrown }

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

type Items = Iterator<unknown> | AsyncIterator<unknown>

let items: Items | undefined
let stepMs = 0
let questions = 0
const asked = new Map<number, PromiseWithResolvers<unknown>>()

/** Asks the caller of the run. */
function ask(question: unknown): Promise<unknown> {
  const number = ++questions
  const reply = Promise.withResolvers<unknown>()
  asked.set(number, reply)
  answer({ question, number })
  return reply.promise
}

function take(message: Extract<Message, { reply: number }>): void {
  const reply = asked.get(message.reply)
  asked.delete(message.reply)
  if ('error' in message) {
    const { name, message: text, fields } = message.error
    reply?.reject(Object.assign(new Error(text), fields, { name }))
  } else reply?.resolve(message.value)
}

async function begin(order: Order): Promise<void> {
  asked.clear()
  const { run } = (await import(pathToFileURL(order.file).href)) as { run(input: unknown, from: typeof ask): unknown }
  answer({ isReady: true })
  stepMs = order.stepMs
  const made = await within(stepMs, () => run(order.input, ask))
  if (!order.isList) {
    answer({ value: made })
    return
  }
  const list = made as Partial<Iterable<unknown> & AsyncIterable<unknown>>
  items = list[Symbol.asyncIterator]?.() ?? list[Symbol.iterator]?.()
  await next()
}

async function next(): Promise<void> {
  const step = await within(stepMs, () => items?.next())
  answer(step && !step.done ? { item: step.value } : { isOver: true })
}

process.on('message', (message: Message) => {
  if (message !== 'next' && 'reply' in message) return take(message)
  const work = message === 'next' ? next : () => begin(message)
  work().catch(error => answer({ error: thrownBy(error) }))
})
process.on('disconnect', () => process.exit())
