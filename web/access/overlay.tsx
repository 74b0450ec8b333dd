import i18next from 'i18next'
import { lazy, Suspense } from 'react'
import { useStepUpIsNeeded } from '../shell/step-up.ts'
import { useSaid } from './say.ts'
import './ask.css'

const StepUpDialog = lazy(async () => {
  await i18next.loadNamespaces('access')
  return { default: (await import('./step-up-dialog.tsx')).StepUpDialog }
})

/** What lies above every page: the question who is there, and what happened last. */
export function Overlay() {
  const isNeeded = useStepUpIsNeeded()
  const said = useSaid()
  return (
    <>
      {isNeeded && (
        <Suspense>
          <StepUpDialog />
        </Suspense>
      )}
      <div className="said" role="status">
        {said && <span key={said.number}>{said.text}</span>}
      </div>
    </>
  )
}
