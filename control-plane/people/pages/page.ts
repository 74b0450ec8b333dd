export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]

interface Words {
  title: string
  says: string
  button: string
  done: string
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
  fields: readonly Field[]
  en: Words
  de: Words
}
