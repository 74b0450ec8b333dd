import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { TabLink, Tabs } from '../parts/tabs.tsx'
import { toast } from '../parts/toast.tsx'
import { changePage, of, pageQuery, readPagesAgain } from './queries.ts'
import { PageState } from './state.tsx'
import './status-pages.css'

const tabs = [
  { to: '/app/status-pages/$page', word: 'tab.design' },
  { to: '/app/status-pages/$page/components', word: 'tab.components' },
  { to: '/app/status-pages/$page/posts', word: 'tab.posts' },
  { to: '/app/status-pages/$page/subscribers', word: 'tab.subscribers' },
  { to: '/app/status-pages/$page/access', word: 'tab.access' },
  { to: '/app/status-pages/$page/domain', word: 'tab.domain' },
] as const

/** One status page: whether it is public, and its parts, each at an address of its own. */
export function StatusPageFrame() {
  const { t } = useTranslation('status-pages')
  const navigate = useNavigate()
  const { page: id } = useParams({ from: '/app/app/status-pages/$page' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  const [asked, setAsked] = useState<'publish' | 'withdraw' | 'delete' | null>(null)
  const isPublished = page.state === 'published'
  return (
    <div className="page">
      <PageHead
        title={page.name}
        status={<PageState page={page} />}
        subtitle={
          isPublished ? (
            <a href={page.url} target="_blank" rel="noreferrer">
              {page.url}
            </a>
          ) : (
            page.url
          )
        }
        actions={
          <>
            {!isPublished && (
              <Button variant="primary" icon="globe" onPress={() => setAsked('publish')}>
                {t('publish')}
              </Button>
            )}
            <Actions
              label={t('actions', { name: page.name })}
              actions={[
                ...(isPublished ? [{ id: 'withdraw', label: t('withdraw'), act: () => setAsked('withdraw') }] : []),
                { id: 'delete', label: t('delete'), act: () => setAsked('delete'), isDanger: true },
              ]}
            />
          </>
        }
      />
      <Tabs label={t('tab.label')}>
        {tabs.map(({ to, word }, index) => (
          <TabLink key={to} to={to} params={{ page: id }} activeOptions={{ exact: index === 0 }}>
            {t(word)}
          </TabLink>
        ))}
      </Tabs>
      <Suspense fallback={<div className="loading" />}>
        <Outlet />
      </Suspense>
      {(asked === 'publish' || asked === 'withdraw') && (
        <FormDialog
          title={t(asked)}
          says={t(`says.${asked}`)}
          submit={t(asked)}
          onClose={() => setAsked(null)}
          act={async () => {
            await changePage(id, { state: asked === 'publish' ? 'published' : 'draft' })
            toast.success(t(`done.${asked}`))
          }}
        />
      )}
      {asked === 'delete' && (
        <FormDialog
          title={t('delete')}
          says={t('delete.says')}
          submit={t('delete')}
          isDanger
          typed={page.name}
          onClose={() => setAsked(null)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/status-pages/{status_page}', { params: of(id) }))
            await navigate({ to: '/app/status-pages' })
            await readPagesAgain()
          }}
        />
      )}
    </div>
  )
}
