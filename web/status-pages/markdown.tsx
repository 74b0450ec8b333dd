import { useQuery } from '@tanstack/react-query'
import { createElement, type ReactNode, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { TextField } from '../parts/field.tsx'

const known = new Set([
  ...['p', 'strong', 'em', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'br', 'hr', 's', 'del'],
  ...['h3', 'h4', 'h5', 'h6'],
])

/** The nodes of HTML as elements: those that texts have, links, and of all others their text. */
function elementsOf(nodes: NodeListOf<ChildNode>): ReactNode[] {
  return [...nodes].map((node, index) => {
    if (!(node instanceof Element)) return node.textContent
    const name = node.tagName.toLowerCase()
    const children = elementsOf(node.childNodes)
    if (name === 'a')
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
        <a key={index} href={node.getAttribute('href') ?? ''} target="_blank" rel="noreferrer">
          {children}
        </a>
      )
    return known.has(name) ? createElement(name, { key: index }, ...children) : children
  })
}

/** A Markdown text as the server shows it on a page. */
export function Markdown({ text }: { text: string }) {
  const { data } = useQuery({
    queryKey: ['status-pages', 'markdown', text],
    queryFn: ({ signal }) => bodyOf(api.POST('/api/v1/status-pages/preview-text', { body: { text }, signal })),
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: before => before,
  })
  const html = text === '' ? '' : (data?.data.html ?? '')
  return (
    <div className="markdown">{elementsOf(new DOMParser().parseFromString(html, 'text/html').body.childNodes)}</div>
  )
}

interface FieldProps {
  label: string
  name: string
  value: string
  onChange(value: string): void
  isRequired?: boolean
}

/** A field for Markdown, and below it what the page will show. */
export function MarkdownField({ label, ...field }: FieldProps) {
  const { t } = useTranslation('status-pages')
  const shown = useDeferredValue(field.value)
  return (
    <>
      <TextField label={label} description={t('markdown.says')} rows={5} {...field} />
      {shown !== '' && (
        <section aria-label={t('markdown.preview')}>
          <Markdown text={shown} />
        </section>
      )}
    </>
  )
}
