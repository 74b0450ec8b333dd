export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]

interface Words {
  title: string
  says: string
  button: string
  done: string
  /** What the answer of `looksUpAt` says, in place of `says`: `{name}` stands for a member of its data. */
  shows?: string
  /** Said in place of the form where the member of the data that `isDoneWhen` names is set. */
  already?: string
  /** Refusals of the API in words of the page, by their code; the API's own words stand for any other. */
  refusals?: Readonly<Record<string, string>>
}

interface Field {
  name: string
  type: 'text' | 'password'
  autocomplete: string
  isOptional?: boolean
  /** For who has no account yet. */
  isOfNewcomer?: boolean
  en: string
  de: string
}

/** Where a link in a mail leads: a form that posts, with the token behind the `#`, which no server sees before that. */
export interface Page {
  path: string
  postsTo: string
  /** Programs of mail send it in the query; people’s forms in the body. */
  tokenIn: 'body' | 'query'
  /** Tells what the token is for, before anything is done with it. */
  looksUpAt?: string
  /** A member of the data of `looksUpAt` that is set once there is nothing left to do. */
  isDoneWhen?: string
  fields: readonly Field[]
  en: Words
  de: Words
}
