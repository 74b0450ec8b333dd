import { useTranslation } from 'react-i18next'
import { Pill } from '../parts/status-pill.tsx'
import type { StatusPage } from './queries.ts'

export function PageState({ page: { state } }: { page: Pick<StatusPage, 'state'> }) {
  const { t } = useTranslation('status-pages')
  return <Pill tone={state === 'published' ? 'up' : 'pending'}>{t(`state.${state}`)}</Pill>
}
