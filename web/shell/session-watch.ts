import { useEffect } from 'react'
import { api } from '../api.ts'
import { usePerson } from './session.ts'
import { startAgain, whenOver } from './session-end.ts'

/**
 * Hides the app while its session is in doubt: when the browser takes the page back out of its memory, where it lay
 * since the person went on, and when another tab says that the session is over.
 */
export function useSessionWatch(): void {
  const { id } = usePerson()
  useEffect(() => {
    const page = document.documentElement
    const ask = () => {
      page.hidden = true
      confirm(id).then(() => {
        page.hidden = false
      }, startAgain)
    }
    const onHide = (event: PageTransitionEvent) => {
      if (event.persisted) page.hidden = true
    }
    const onShow = (event: PageTransitionEvent) => event.persisted && ask()
    const stop = whenOver(ask)
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      stop()
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [id])
}

/** Rejects unless the session is still that of this person. One that is over leads to the sign-in page by itself. */
async function confirm(person: string): Promise<void> {
  const { data } = await api.GET('/api/v1/user', { cache: 'no-store' })
  if (data?.id === person) return
  // what a tab keeps is of its person
  sessionStorage.clear()
  throw new Error('The session is over.')
}
