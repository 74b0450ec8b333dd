import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { shortMessageOf } from './problem.ts'
import './toast.css'

interface Note {
  id: number
  tone: 'success' | 'failure'
  /** A text, or an error whose message is shown. */
  says: string | Error
}

/** How long a success is shown; a failure stays until it is closed. */
const shownMs = 6_000
const most = 3

let notes: readonly Note[] = []
let lastId = 0
const watchers = new Set<() => void>()

function show(next: readonly Note[]): void {
  notes = next
  for (const changed of watchers) changed()
}

const close = (id: number) => show(notes.filter(note => note.id !== id))

function add(tone: Note['tone'], says: Note['says']): void {
  const id = ++lastId
  show([...notes.slice(1 - most), { id, tone, says }])
  if (tone === 'success') setTimeout(() => close(id), shownMs)
}

/** Says what has happened, in a corner and to screen readers. Texts are in the person's language. */
export const toast = {
  success: (text: string) => add('success', text),
  failure: (problem: string | Error) => add('failure', problem),
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Where toasts are shown; once in the app. */
export function Toasts() {
  const { t, i18n } = useTranslation('parts')
  const shown = useSyncExternalStore(watch, () => notes)
  return (
    <div className="toasts" role="status" aria-live="polite" aria-atomic="false">
      {shown.map(({ id, tone, says }) => (
        <div key={id} className={`toast ${tone}`}>
          <Icon name={tone === 'success' ? 'up' : 'alert'} />
          <span>{typeof says === 'string' ? says : shortMessageOf(says, i18n)}</span>
          <Button variant="quiet" icon="close" aria-label={t('toast.close')} onPress={() => close(id)} />
        </div>
      ))}
    </div>
  )
}
