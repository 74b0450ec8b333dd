import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { queries } from '../queries.ts'
import { actingIn } from '../shell/acting.ts'
import { loadLeaveDialog } from '../shell/leave-question.tsx'
import { personQuery } from '../shell/session.ts'
import { Button, type ButtonProps } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { curlOf } from './curl.ts'
import { type Problem, ProblemMessage } from './failure.tsx'
import { type Refused, splitRefusal } from './problem.ts'
import { toast } from './toast.tsx'
import { begin, refuse, send, settle, takeUpDraft } from './unsaved.ts'
import './form.css'

/** As `useMutation` of TanStack Query gives it. */
export interface Mutation<Body> {
  mutate(body: Body, then?: { onError?(error: Error): void; onSuccess?(): void }): void
  isPending: boolean
}

/**
 * Sends forms. `submit` sends a body and keeps what the API refuses: `refused.fields` at the fields of the form whose
 * names are given, `refused.others` without a field.
 */
export function useSubmit<Body>(mutation: Mutation<Body>) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const { mutate } = mutation
  const submit = useCallback(
    (body: Body, form: HTMLFormElement) => {
      setProblem(null)
      send(form)
      const names = namesOf(form)
      mutate(body, {
        onError: error => {
          refuse(form)
          setProblem({ error, refused: splitRefusal(error instanceof ApiError ? error.fields : {}, names) })
        },
        onSuccess: () => settle(form),
      })
    },
    [mutate],
  )
  return { submit, problem, isPending: mutation.isPending }
}

/** The fields of a form as one object, with what changes some of them. */
export function useFields<Fields extends object>(first: Fields | (() => Fields)) {
  const [fields, setFields] = useState(first)
  return [fields, (part: Partial<Fields>) => setFields(before => ({ ...before, ...part }))] as const
}

const Pending = createContext(false)

/** What comes before any change of a field: a key, a press, and a text that is pasted or dropped. */
const inputs = ['keydown', 'pointerdown', 'beforeinput'] as const

/** Asks before what is typed into the form is lost, and types again what the end of a session has cut off. */
export function useTypedInput(form: RefObject<HTMLFormElement | null>): void {
  const { t } = useTranslation('parts')
  useEffect(() => {
    const element = form.current
    if (!element) return
    loadLeaveDialog().catch(() => undefined)
    const beginInput = () => begin(element)
    for (const name of inputs) element.addEventListener(name, beginInput, true)
    const person = queries.getQueryData(personQuery.queryKey)
    if (person)
      takeUpDraft(person.id, element).then(
        isTaken => isTaken && toast.success(t('form.draft')),
        () => undefined,
      )
    return () => settle(element)
  }, [t, form])
}

interface FormProps<Body> {
  mutation: Mutation<Body>
  /** The body that is sent; from the state of the screen, or from the form's data. */
  body(data: FormData): Body
  children: ReactNode
  /** The call that the form makes, below `/api/v1`, to be copied as curl. `body` where it is not that of the mutation. */
  call?: { method: 'POST' | 'PATCH' | 'PUT'; path: string; body?(): unknown }
  'aria-label'?: string
}

/** A form that sends its body with a mutation. What the API refuses is said at the fields, and the rest on top. */
export function Form<Body>({ mutation, body, children, call, ...rest }: FormProps<Body>) {
  const { t } = useTranslation('parts')
  const { submit, problem, isPending } = useSubmit(mutation)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const element = form.current
    if (!problem || !element) return
    const { fields } = problem.refused
    focusOn(element, problem.refused)
    // what was refused is forgotten while it is typed anew. When the focus leaves, as React Aria does by itself, the
    // message goes away under a press of the button below, which moves
    const onInput = ({ target }: Event) => {
      if (target instanceof Element && (target.getAttribute('name') ?? '') in fields)
        target.dispatchEvent(new Event('change', { bubbles: true }))
    }
    element.addEventListener('input', onInput)
    return () => element.removeEventListener('input', onInput)
  }, [problem])
  useTypedInput(form)
  const asCurl = () => {
    const { method = 'POST', path = '', body: own } = call ?? {}
    const sent = own ? own() : form.current && body(new FormData(form.current))
    const tenant = actingIn()?.tenantId
    const url = `${location.origin}/api/v1${path}`
    return curlOf({ method, url, body: JSON.stringify(sent), ...(tenant !== undefined && { tenant }) })
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // a form in a dialog is, for React, inside the form that the dialog was opened from
    event.stopPropagation()
    if (!isPending) submit(body(new FormData(event.currentTarget)), event.currentTarget)
  }
  return (
    <Pending value={isPending}>
      <AriaForm
        {...rest}
        ref={form}
        className="form"
        onSubmit={onSubmit}
        validationErrors={problem?.refused.fields ?? {}}
      >
        {problem && <ProblemMessage problem={problem} />}
        {children}
        {call && (
          <div>
            <CopyButton text={asCurl} word={t('calls.copy')} />
          </div>
        )}
      </AriaForm>
    </Pending>
  )
}

const namesOf = (form: HTMLFormElement): ReadonlySet<string> =>
  new Set([...form.elements].flatMap(field => field.getAttribute('name') || []))

/** The first field that was refused, else the message on top. */
function focusOn(form: HTMLFormElement, { fields }: Refused): void {
  const first = [...form.elements].find(field => (field.getAttribute('name') ?? '') in fields)
  const target = first ?? form.querySelector('.problem')
  if (target instanceof HTMLElement) target.focus()
}

/** The button that sends the form; spins while it is sent. */
export function SubmitButton({ variant = 'primary', ...rest }: Omit<ButtonProps, 'type' | 'isPending'>) {
  return <Button {...rest} variant={variant} type="submit" isPending={use(Pending)} />
}

/** The buttons at the end of a form. */
export const FormActions = ({ children }: { children: ReactNode }) => <div className="form-actions">{children}</div>

/** Fields that belong together, below a heading. */
export const Fieldset = ({ legend, children }: { legend: string; children: ReactNode }) => (
  <fieldset className="fieldset">
    <legend>{legend}</legend>
    {children}
  </fieldset>
)
