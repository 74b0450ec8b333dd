/** Code of the app that could not be fetched: the server was away, or another version has been deployed. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'

  constructor(cause: unknown) {
    super('A part of the app could not be loaded.', { cause })
  }
}

/** As Chromium, Firefox and Safari say it, and the loader of style sheets. */
const said = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

export const isMissingPart = (error: unknown): boolean =>
  error instanceof MissingPart || (error instanceof Error && said.test(error.message))
