import { useEffect, useRef, useState } from 'react'
import { Input, Label, SearchField } from 'react-aria-components'
import { useTranslation } from 'react-i18next'

/** How long a person pauses before what they typed is searched for. */
const typingMs = 250

interface SearchProps {
  /** What the address says. */
  text: string | undefined
  onSearch(text: string): void
  label?: string
}

/** A search that follows typing. `/` leads to it from anywhere on the page. */
export function Search({ text = '', onSearch, label }: SearchProps) {
  const { t } = useTranslation('monitors')
  const [typed, setTyped] = useState(text)
  const field = useRef<HTMLInputElement>(null)
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => search.current(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, text])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <SearchField className="field" value={typed} onChange={setTyped}>
      <Label className="field-label">{label ?? t('filter.search')}</Label>
      <Input className="field-box" ref={field} />
    </SearchField>
  )
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
