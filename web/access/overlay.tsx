import { lazy, Suspense } from 'react'
import { useStepUpIsNeeded } from '../shell/step-up.ts'
import { loadAreaWords } from '../words.ts'

const StepUpDialog = lazy(async () => {
  await loadAreaWords('access')
  return { default: (await import('./step-up-dialog.tsx')).StepUpDialog }
})

/** Above every page: the question who is there, before something dangerous. */
export function Overlay() {
  const isNeeded = useStepUpIsNeeded()
  return (
    isNeeded && (
      <Suspense>
        <StepUpDialog />
      </Suspense>
    )
  )
}
