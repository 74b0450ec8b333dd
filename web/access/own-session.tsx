import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { usePerson } from '../shell/session.ts'

/** What belongs to the account: a session that is limited to its team is told why it is not here. */
export function OwnSession({ children }: { children: ReactNode }) {
  const { t } = useTranslation('access')
  return usePerson().isLimited ? <EmptyState title={t('limited.title')}>{t('limited.says')}</EmptyState> : children
}
