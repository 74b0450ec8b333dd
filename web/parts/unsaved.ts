interface Input {
  /** What the form said before the person began. */
  before: string
  /** It is being sent: leaving loses nothing, unless it is refused. */
  isSent: boolean
}

/** Forms on the screen that a person has begun to fill in. */
const begun = new Map<HTMLFormElement, Input>()

/** What is typed and may be kept: neither secrets nor files. */
function textOf(form: HTMLFormElement): [name: string, value: string][] {
  const secret = new Set(
    [...form.elements].flatMap(field =>
      field instanceof HTMLInputElement && (field.type === 'password' || field.autocomplete === 'one-time-code')
        ? [field.name]
        : [],
    ),
  )
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !secret.has(name) ? [[name, value] as [string, string]] : [],
  )
}

const written = (form: HTMLFormElement) =>
  JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]))

/** Before a key or a press in a form. */
export function begin(form: HTMLFormElement): void {
  const input = begun.get(form)
  if (input) input.isSent = false
  else begun.set(form, { before: written(form), isSent: false })
}

export function send(form: HTMLFormElement): void {
  const input = begun.get(form)
  if (input) input.isSent = true
}

export function refuse(form: HTMLFormElement): void {
  const input = begun.get(form)
  if (input) input.isSent = false
}

/** What the form says is saved, or the form is gone. */
export function settle(form: HTMLFormElement): void {
  begun.delete(form)
}

const unsaved = () => [...begun].filter(([form, { before }]) => form.isConnected && written(form) !== before)

/** Whether leaving the page would lose what a person has typed. */
export const hasUnsaved = (): boolean => unsaved().some(([, { isSent }]) => !isSent)

interface Draft {
  person: string
  path: string
  names: string[]
  values: [name: string, value: string][]
  at: number
}

const key = 'draft'
/** As long as a person needs to sign in again. */
const keptMs = 30 * 60_000

/** Keeps the form that was being filled in until the same person is back on the same page, in this tab. */
export function keepDraft(person: string): void {
  const [form] = unsaved().at(-1) ?? []
  if (!form) return
  const values = textOf(form)
  if (values.length === 0) return
  const draft: Draft = { person, path: location.pathname, names: namesOf(form), values, at: Date.now() }
  sessionStorage.setItem(key, JSON.stringify(draft))
}

/** What another person of this tab has typed is not theirs, and what is old is not expected any more. */
export function forgetDraftOfOthers(person: string): void {
  const text = sessionStorage.getItem(key)
  if (text === null) return
  const { person: owner, at } = JSON.parse(text) as Draft
  if (owner !== person || Date.now() - at > keptMs) sessionStorage.removeItem(key)
}

const namesOf = (form: HTMLFormElement) => [
  ...new Set([...form.elements].flatMap(field => field.getAttribute('name') || [])),
]

function draftFor(person: string, form: HTMLFormElement): Draft | null {
  forgetDraftOfOthers(person)
  const text = sessionStorage.getItem(key)
  if (text === null) return null
  const draft = JSON.parse(text) as Draft
  const names = namesOf(form)
  // fields that come with what is typed are not there yet
  const fits = draft.path === location.pathname && names.length > 0 && names.every(name => draft.names.includes(name))
  return fits ? draft : null
}

/** How long fields may take to appear that others bring along. */
const restoreMs = 3_000

/** Types what was kept into the form again. Answers whether there was something. */
export async function takeUpDraft(person: string, form: HTMLFormElement): Promise<boolean> {
  const draft = draftFor(person, form)
  if (!draft) return false
  sessionStorage.removeItem(key)
  begin(form)
  const missing = new Map(Map.groupBy(draft.values, ([name]) => name))
  for (const until = performance.now() + restoreMs; missing.size > 0 && performance.now() < until; ) {
    for (const [name, values] of missing)
      if (
        write(
          form,
          name,
          values.map(([, value]) => value),
        )
      )
        missing.delete(name)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return true
}

/** Puts values into the fields of a name as a person would. False while there is no such field. */
function write(form: HTMLFormElement, name: string, values: string[]): boolean {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
      field.getAttribute('name') === name &&
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement),
  )
  for (const [index, field] of fields.entries())
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      if (field.checked !== values.includes(field.value)) field.click()
    } else put(field, values[index] ?? '')
  return fields.length > 0
}

/** React notices a value by its own setter alone. */
function put(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  if (field.value === value) return
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
