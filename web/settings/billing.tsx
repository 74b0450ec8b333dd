import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat, target } from '../../contract/figures.ts'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { useMay } from '../shell/may.ts'
import { billingQuery, invoicesQuery } from './queries.ts'

type Billing = Schemas['Billing']
type Price = Schemas['PlanPrice']

const here = '/app/settings/billing'
const again = () => Promise.all([refresh(['billing']), refresh(['plan'])])

/** Amounts of the API are in the smallest unit of the currency. */
function money(amount: number, currency: string, language: string): string {
  const format = numberFormat(language, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

/** What the team pays for, what else it could, who pays, and the invoices. */
export function BillingPage() {
  const billing = useSuspenseQuery(billingQuery).data.data
  const { administers } = useMay()
  const isOwn = billing.payer.type === 'team'
  return (
    <>
      <Subscription billing={billing} mayChange={administers && isOwn} />
      {isOwn && billing.prices.length > 0 && <Plans billing={billing} mayChange={administers} />}
      {isOwn && administers && <PayerForm billing={billing} />}
      <Invoices />
    </>
  )
}

function Subscription({ billing, mayChange }: { billing: Billing; mayChange: boolean }) {
  const { t } = useTranslation(['billing', 'settings'])
  const [isEnding, setEnding] = useState(false)
  const { plan, status, provider, interval, current_period_end: end, grace_ends_at: grace } = billing
  const openPortal = async () => {
    const { data } = await bodyOf(api.POST('/api/v1/billing/portal', { body: { return_path: here } }))
    location.assign(data.url)
  }
  const resume = async () => {
    await bodyOf(api.POST('/api/v1/billing/resume'))
    await again()
    toast.success(t('resumed'))
  }
  const keepPlan = async () => {
    await bodyOf(api.DELETE('/api/v1/billing/plan-change'))
    await again()
    toast.success(t('saved', { ns: 'settings' }))
  }
  return (
    <section className="card">
      <h2>{t('plan.name', { ns: 'settings', name: plan })}</h2>
      {billing.payer.type === 'reseller' && <p>{t('payer.reseller')}</p>}
      <dl className="figures">
        <div>
          <dt>{t('status')}</dt>
          <dd>
            {t(`status.${status}`)} {status === 'grace' && grace && <Moment at={grace} />}
          </dd>
        </div>
        {end && (
          <div>
            <dt>{t('period')}</dt>
            <dd>
              <Moment at={end} />
            </dd>
          </div>
        )}
        {interval && (
          <div>
            <dt>{t('interval')}</dt>
            <dd>{t(`interval.${interval}`)}</dd>
          </div>
        )}
        <div>
          <dt>{t('seats')}</dt>
          <dd>{billing.seats}</dd>
        </div>
      </dl>
      {billing.pending_plan && billing.pending_at && (
        <p>
          {t('pending', { plan: billing.pending_plan })} <Moment at={billing.pending_at} />{' '}
          {mayChange && <Button onPress={keepPlan}>{t('pending.cancel')}</Button>}
        </p>
      )}
      {mayChange && (
        <div className="row">
          {provider === 'stripe' && status !== 'none' && <Button onPress={openPortal}>{t('portal')}</Button>}
          {(status === 'active' || status === 'past_due') && (
            <Button variant="danger" onPress={() => setEnding(true)}>
              {t('cancel')}
            </Button>
          )}
          {status === 'canceled' && <Button onPress={resume}>{t('resume')}</Button>}
        </div>
      )}
      {isEnding && (
        <FormDialog
          title={t('cancel.title')}
          says={t('cancel.says')}
          submit={t('cancel')}
          isDanger
          onClose={() => setEnding(false)}
          act={async () => {
            await bodyOf(api.POST('/api/v1/billing/cancel', { body: { at: 'period_end' } }))
            await again()
            toast.success(t('cancelled'))
          }}
        />
      )}
    </section>
  )
}

function Plans({ billing, mayChange }: { billing: Billing; mayChange: boolean }) {
  const { t, i18n } = useTranslation(['billing', 'settings'])
  const [chosen, setChosen] = useState<Price | null>(null)
  const isPresent = ({ plan, interval }: Price) => plan === billing.plan && interval === billing.interval
  return (
    <section className="card">
      <h2>{t('plans')}</h2>
      <Table
        caption={t('plans')}
        rows={billing.prices}
        keyOf={({ plan, interval }) => `${plan}-${interval}`}
        columns={[
          { id: 'plan', header: t('plan'), cell: ({ plan }) => plan },
          {
            id: 'price',
            header: t('price'),
            cell: price => {
              const amount = money(price.amount, price.currency, i18n.language)
              const each = price.per_seat ? t('price.seat', { price: amount }) : amount
              const percent = target(price.tax_percent, i18n.language)
              return (
                <>
                  {t(`price.${price.interval}`, { price: each })}
                  {price.tax_percent > 0 && <small className="soft"> {t('tax', { percent })}</small>}
                </>
              )
            },
          },
          {
            id: 'actions',
            header: '',
            cell: price => {
              if (isPresent(price)) return <span className="soft">{t('present')}</span>
              const interval = t(`interval.${price.interval}`)
              return (
                mayChange && (
                  <Button
                    aria-label={t('choose.label', { plan: price.plan, interval })}
                    onPress={() => setChosen(price)}
                  >
                    {t('choose')}
                  </Button>
                )
              )
            },
          },
        ]}
      />
      {chosen && <ChangePlan billing={billing} price={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

function ChangePlan({ billing, price, onClose }: { billing: Billing; price: Price; onClose(): void }) {
  const { t } = useTranslation(['billing', 'settings'])
  const { plan, interval } = price
  const preview = useQuery({
    queryKey: ['billing', 'preview', plan, interval],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/billing/plan-preview', { params: { query: { plan, interval } }, signal })),
  }).data?.data
  const isFirst = billing.provider === 'stripe' && billing.status === 'none'
  const change = async () => {
    if (plan === 'free') {
      await bodyOf(api.POST('/api/v1/billing/cancel', { body: { at: 'period_end' } }))
    } else if (isFirst) {
      const body = { plan, interval, return_path: here }
      const { data } = await bodyOf(api.POST('/api/v1/billing/checkout', { body }))
      location.assign(data.url)
      return
    } else await bodyOf(api.POST('/api/v1/billing/plan', { body: { plan, interval } }))
    await again()
    toast.success(t('changed'))
  }
  return (
    <FormDialog
      title={t('change.title', { plan })}
      says={t('change.upgrade')}
      submit={t('change')}
      onClose={onClose}
      act={change}
    >
      {preview && preview.over_limit.length > 0 && (
        <>
          <h3>{t('change.over')}</h3>
          <ul>
            {preview.over_limit.map(({ feature, current, limit }) => (
              <li key={feature}>
                {t(`feature.${feature}`, { ns: 'settings' })}: {t('plan.of', { ns: 'settings', used: current, limit })}
              </li>
            ))}
          </ul>
        </>
      )}
      {preview && preview.monitors_on_hold_count > 0 && (
        <>
          <p>{t('change.hold', { count: preview.monitors_on_hold_count })}</p>
          <p className="soft">{preview.monitors_on_hold.map(({ name }) => name).join(', ')}</p>
        </>
      )}
      {preview && preview.channels_on_hold_count > 0 && (
        <p>{t('change.holdChannels', { count: preview.channels_on_hold_count })}</p>
      )}
    </FormDialog>
  )
}

function PayerForm({ billing: { payer } }: { billing: Billing }) {
  const { t } = useTranslation(['billing', 'settings'])
  const [draft, setDraft] = useState({
    name: payer.name ?? '',
    email: payer.email ?? '',
    address: payer.address ?? '',
    country: payer.country ?? '',
  })
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const saving = useMutation({
    mutationFn: async () => {
      const body = Object.fromEntries(Object.entries(draft).map(([name, text]) => [name, text || null]))
      await bodyOf(api.PATCH('/api/v1/billing/payer', { body }))
      await again()
      toast.success(t('saved', { ns: 'settings' }))
    },
  })
  return (
    <section className="card">
      <h2>{t('payer')}</h2>
      <Form mutation={saving} body={() => undefined}>
        <TextField label={t('payer.name')} name="name" value={draft.name} onChange={value => put({ name: value })} />
        <TextField
          label={t('payer.email')}
          name="email"
          type="email"
          value={draft.email}
          onChange={value => put({ email: value })}
        />
        <TextField
          label={t('payer.address')}
          name="address"
          rows={3}
          value={draft.address}
          onChange={value => put({ address: value })}
        />
        <TextField
          label={t('payer.country')}
          description={t('payer.country.says')}
          name="country"
          maxLength={2}
          value={draft.country}
          onChange={value => put({ country: value.toUpperCase() })}
        />
        <FormActions>
          <SubmitButton>{t('save', { ns: 'settings' })}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

function Invoices() {
  const { t, i18n } = useTranslation(['billing', 'settings'])
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...invoicesQuery(page), placeholderData: keepPreviousData })
  return (
    <section className="card">
      <h2>{t('invoices')}</h2>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('invoices.empty')} />
      ) : (
        <Table
          caption={t('invoices')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'number',
              header: t('invoice.number'),
              cell: ({ number }) => number ?? t('invoice.draft'),
            },
            {
              id: 'period',
              header: t('invoice.period'),
              cell: invoice => (
                <>
                  <Moment at={invoice.period_start} /> – <Moment at={invoice.period_end} />
                </>
              ),
            },
            {
              id: 'total',
              header: t('invoice.total'),
              cell: ({ total, currency }) => money(total, currency, i18n.language),
            },
            {
              id: 'state',
              header: t('invoice.state'),
              cell: ({ status }) => t(`invoice.state.${status}`),
            },
            {
              id: 'open',
              header: '',
              cell: ({ hosted_url: url }) => url && <a href={url}>{t('invoice.open')}</a>,
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
