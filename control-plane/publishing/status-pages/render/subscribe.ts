import { texts } from '#locales/texts.ts'
import { type Document, documentOf, nameOf, pathTo, read, render, type View } from './documents.ts'
import type { PageModel } from './model.ts'
import type { SubscriptionProblem } from './problems.ts'

const templates = { form: read('subscribe'), sent: read('subscribed') }

/** What a visitor entered, as it was entered. */
export interface SubscriptionValues {
  email: string
  url: string
  components: ReadonlySet<string>
}

export interface SubscriptionForm {
  values: SubscriptionValues
  problem: SubscriptionProblem | null
}

export const emptyForm: SubscriptionForm = { values: { email: '', url: '', components: new Set() }, problem: null }

/** The field that a problem is of; others concern the form as a whole. */
const fieldOf: Partial<Record<SubscriptionProblem, keyof SubscriptionValues>> = {
  empty: 'email',
  email: 'email',
  both: 'url',
  url: 'url',
  components: 'components',
}

/** A page for e-mail domains, or for people of a company, takes only addresses of mail: a webhook is of no domain. */
export const takesUrls = ({ access: { mode } }: PageModel): boolean => mode !== 'email_domain' && mode !== 'sso'

/** The form by which visitors subscribe to a page. */
export function renderSubscribe(model: PageModel, view: View, { values, problem }: SubscriptionForm): Document {
  const said = texts('status-pages', view.language).subscription
  const field = problem && fieldOf[problem]
  const body = render(templates.form, {
    said,
    back: texts('status-pages', view.language).back,
    home: pathTo(view, ''),
    action: pathTo(view, '/subscribe'),
    email: values.email,
    url: values.url,
    takes_urls: takesUrls(model),
    is_url_open: values.url !== '',
    problem: problem && said.problems[problem],
    field: field ?? (problem && 'form'),
    parts: model.groups.flatMap(group =>
      group.components.map(({ id, name }) => ({
        id,
        name,
        group: group.name,
        isChosen: values.components.has(id),
      })),
    ),
  })
  return ofPage(model, view, said.title, body)
}

/** The answer to a subscription, the same whether the address was known. */
export function renderSubscribed(model: PageModel, view: View): Document {
  const { back, subscription: said } = texts('status-pages', view.language)
  return ofPage(model, view, said.sentTitle, render(templates.sent, { said, back, home: pathTo(view, '') }))
}

const ofPage = (model: PageModel, view: View, title: string, body: string) =>
  documentOf(model, view, {
    title: `${title} · ${nameOf(model, view)}`,
    body,
    path: '/subscribe',
    isRefreshed: false,
  })
