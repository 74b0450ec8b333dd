import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

type Node = { type: string } & Record<string, unknown>

/** Which argument of a call is the sentence of a refusal. */
const places: Readonly<Record<string, number>> = {
  Refusal: 2,
  forbidden: 0,
  malformed: 0,
  unavailable: 0,
  notInPlan: 2,
  refine: 1,
  regex: 1,
  Sentence: 0,
}
/** The sentence in the options of a rule of a schema. */
const namedIn = (options: unknown): unknown[] =>
  isNode(options) && options.type === 'ObjectExpression'
    ? (options.properties as { key?: { name?: string }; value?: unknown }[])
        .filter(({ key }) => key?.name === 'message' || key?.name === 'error')
        .map(({ value }) => value)
    : []

/**
 * Mails and notifications are templates in both languages, which tests of their own compare. Operators read what is
 * wrong with the configuration in the terminal, in English. Notes of a preview are stored.
 */
const isLeftOut = (file: string) => /\/templates\/|\/config\.ts$|importing\/preview\.ts$/.test(file)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const isSentence = (text: string) => /^[A-Z0-9][\s\S]*\.$/.test(text) && (text.includes(' ') || /^\w+\.$/.test(text))

/** The texts that an expression may be; what is computed, and stands in no `Sentence`, is in them as `7`. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'NewExpression':
      return textsOf((node.arguments as unknown[])[0])
    case 'TemplateLiteral':
      return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('7')]
    case 'BinaryExpression': {
      const [left, right] = [node.left, node.right].map(side => textsOf(side))
      const known = (side: string[] | undefined) => (side && side.length > 0 ? side : ['7'])
      return node.operator === '+' ? known(left).flatMap(a => known(right).map(b => a + b)) : []
    }
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)]
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)]
    default:
      return []
  }
}

/** Every sentence that a refusal of the control plane or a rule of a schema may say, with the file that says it. */
export function refusalSentences(): Map<string, string> {
  const found = new Map<string, string>()
  const files = ['checks', 'contract', 'control-plane', 'importers']
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(name => name.endsWith('.ts') && !isLeftOut(name))
  for (const file of files) {
    const add = (node: unknown) => {
      for (const text of textsOf(node)) if (isSentence(text)) found.set(text, file)
    }
    const walk = (value: unknown, parent: string) => {
      if (Array.isArray(value)) {
        for (const each of value) walk(each, parent)
        return
      }
      if (!isNode(value)) return
      const callee = value.callee as { name?: string; property?: { name?: string } } | undefined
      const called = callee?.name ?? callee?.property?.name ?? ''
      const given = value.arguments as unknown[] | undefined
      if (Object.hasOwn(places, called)) add(given?.[places[called]!])
      for (const argument of given ?? [])
        if (called === 'addIssue' || called === 'refine') for (const text of namedIn(argument)) add(text)
      // the errors of one field: a list with one sentence
      const elements = value.type === 'ArrayExpression' ? (value.elements as unknown[]) : []
      if (elements.length === 1 && /^(Property|AssignmentExpression|ConditionalExpression)$/.test(parent))
        add(elements[0])
      for (const child of Object.values(value)) walk(child, value.type)
    }
    walk(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), '')
  }
  return found
}
