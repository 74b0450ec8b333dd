import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasUnsaved } from '../parts/unsaved.ts'

/** Loaded with the first form, so that it can be asked while the server is away. */
export const loadLeaveDialog = () => import('./leave-dialog.tsx')
const LeaveDialog = lazy(async () => ({ default: (await loadLeaveDialog()).LeaveDialog }))

/** Asks before a link, the Back button or a reload takes a page away on which something was typed and not sent. */
export function LeaveQuestion() {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />
    </Suspense>
  )
}
