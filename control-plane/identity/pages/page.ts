export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]

interface PageText {
  title: string
  says: string
  button: string
  done: string
  /** What the answer of `looksUpAt` says, before `says`: `{name}` stands for a member of its data. Needed where there is one. */
  shows?: string
  /** Said in place of the form where the member of the data that `isDoneWhen` names is set. */
  already?: string
  /** Words for a member of the data that is one of few: `{role}`. */
  terms?: Readonly<Record<string, string>>
  /** Refusals of the API in words of the page, by their code; the API's own words stand for any other. */
  refusals?: Readonly<Record<string, string>>
}

interface Field {
  name: string
  type: 'text' | 'password'
  autocomplete: string
  isOptional?: boolean
  /** Asked only of somebody with an account, without one, or of whom that is not known; of everybody unless told. */
  of?: readonly ('member' | 'newcomer' | 'unknown')[]
  en: FieldText
  de: FieldText
}

interface FieldText {
  label: string
  /** What is allowed, said before something else is typed. */
  hint?: string
}

/** Where a link in a mail leads: a form that posts, with the token behind the `#`, which no server sees before that. */
export interface Page {
  path: string
  postsTo: string
  /** Programs of mail send it in the query; people’s forms in the body. */
  tokenIn: 'body' | 'query'
  /** Tells what the token is for, before anything is done with it. */
  lookupPath?: string
  /** A member of the data of `looksUpAt` that is set once there is nothing left to do. */
  isDoneWhen?: string
  /** What comes next is to sign in. */
  leadsToSignIn?: boolean
  fields: readonly Field[]
  en: PageText
  de: PageText
}
