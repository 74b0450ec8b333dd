import { SourceError } from './source.ts'

/** The content of a file as text. */
export function fileText(file: Buffer | null): string {
  if (file === null || file.length === 0) throw new SourceError('The file is empty.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file).replaceAll('\0', '')
  } catch {
    throw new SourceError('The file is not text in UTF-8.')
  }
}
