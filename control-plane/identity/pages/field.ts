import { escapeHtml } from './html.ts'

interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  /** What is wrong with the value. */
  error?: string | undefined
  isFirst?: boolean
  inputmode?: 'numeric' | 'text'
}

/** A labelled field with its hint and its error. */
export function fieldOf({ name, label, type = 'text', autocomplete, value, hint, error, ...more }: Field): string {
  const described = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])]
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="255" required`,
    ...(value ? [`value="${escapeHtml(value)}"`] : []),
    ...(more.inputmode ? [`inputmode="${more.inputmode}"`] : []),
    ...(type === 'email' ? ['spellcheck="false" autocapitalize="none"'] : []),
    ...(described.length > 0 ? [`aria-describedby="${described.join(' ')}"`] : []),
    ...(error ? ['aria-invalid="true"'] : []),
    ...(more.isFirst ? ['autofocus'] : []),
  ]
  const below = [
    ...(hint ? [`<span id="${name}-hint" class="hint">${escapeHtml(hint)}</span>`] : []),
    ...(error ? [`<span id="${name}-error" class="error">${escapeHtml(error)}</span>`] : []),
  ]
  return `<div><label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.join(' ')}>${below.join('')}</div>`
}

/** A sentence above a form: what went wrong, or what was done. Screen readers read the first at once. */
export const alertOf = (text: string | undefined): string =>
  text === undefined ? '' : `<p class="alert" role="alert">${escapeHtml(text)}</p>`
export const noteOf = (text: string): string => `<p class="note" role="status">${escapeHtml(text)}</p>`
