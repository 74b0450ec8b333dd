import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { queries } from '../queries.ts'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { BrandPreview } from './brand-preview.tsx'
import { brandingQuery } from './queries.ts'

type Branding = Schemas['Branding']

const groups = {
  identity: [
    'brand_name',
    'alert_prefix',
    'notification_from_name',
    'logo_url',
    'logo_url_dark',
    'symbol_url',
    'favicon_url',
  ],
  colors: ['primary_color', 'secondary_color'],
  footer: ['footer_text', 'footer_url', 'privacy_url', 'imprint_url', 'support_url', 'upgrade_url'],
} as const
type Text = (typeof groups)[keyof typeof groups][number]
const texts: readonly Text[] = [...groups.identity, ...groups.colors, ...groups.footer]
const modes = ['hidden', 'silent', 'subtle', 'active'] as const
const offers = ['none', 'link', 'contact'] as const

export function BrandingPage() {
  const branding = useSuspenseQuery(brandingQuery).data.data
  return <BrandingForm branding={branding} />
}

export type BrandDraft = Record<Text, string> & { hide_powered_by: boolean }

function BrandingForm({ branding }: { branding: Branding }) {
  const { t } = useTranslation('settings')
  const { administers, isActing } = useMay()
  const { isReseller } = usePerson()
  const [draft, setDraft] = useState<BrandDraft>(() => ({
    ...(Object.fromEntries(texts.map(name => [name, branding[name] ?? ''])) as Record<Text, string>),
    hide_powered_by: branding.effective.hide_powered_by,
  }))
  const [mode, setMode] = useState(branding.effective.upsell_mode)
  const [offer, setOffer] = useState(branding.effective.upsell_cta)
  const put = (part: Partial<BrandDraft>) => setDraft({ ...draft, ...part })
  const sells = isReseller || isActing

  const save = async () => {
    const changed = texts.filter(name => draft[name] !== (branding[name] ?? ''))
    const body: Schemas['BrandingChanges'] = {
      ...Object.fromEntries(changed.map(name => [name, draft[name] === '' ? null : draft[name]])),
      ...(draft.hide_powered_by !== branding.effective.hide_powered_by && { hide_powered_by: draft.hide_powered_by }),
      ...(mode !== branding.effective.upsell_mode && { upsell_mode: mode }),
      ...(offer !== branding.effective.upsell_cta && { upsell_cta: offer }),
    }
    const saved = await bodyOf(api.PATCH('/api/v1/branding', { body }))
    queries.setQueryData(brandingQuery.queryKey, saved)
    toast.success(t('saved'))
  }
  const field = (name: Text) => {
    const value = branding.effective[name]
    return (
      <TextField
        key={name}
        label={t(`branding.${name}`)}
        {...(branding[name] === null && value !== null && { description: t('branding.default', { value }) })}
        name={name}
        isReadOnly={!administers}
        {...(name.endsWith('_url') && { type: 'url' as const })}
        {...(name.endsWith('_color') && { isCode: true })}
        value={draft[name]}
        onChange={text => put({ [name]: text })}
      />
    )
  }
  const saving = useMutation({ mutationFn: save })
  return (
    <>
      <p className="soft">{t('branding.says')}</p>
      <BrandPreview draft={draft} effective={branding.effective} />
      <Form mutation={saving} body={() => undefined}>
        <div className="section-page">
          <section className="card">
            <h2>{t('branding.identity')}</h2>
            {groups.identity.map(field)}
          </section>
          <section className="card">
            <h2>{t('branding.colors')}</h2>
            {groups.colors.map(field)}
          </section>
          <section className="card">
            <h2>{t('branding.footer')}</h2>
            {groups.footer.map(field)}
            <CheckboxField
              label={t('branding.hide_powered_by')}
              name="hide_powered_by"
              isDisabled={!administers}
              isSelected={draft.hide_powered_by}
              onChange={value => put({ hide_powered_by: value })}
            />
          </section>
          {sells && (
            <section className="card">
              <h2>{t('branding.upsell')}</h2>
              <p className="soft">{t('branding.upsell.says')}</p>
              <SelectField
                label={t('branding.upsell_mode')}
                name="upsell_mode"
                choices={modes.map(id => ({ id, label: t(`branding.upsell_mode.${id}`) }))}
                value={mode}
                onChange={value => setMode(value)}
              />
              <SelectField
                label={t('branding.upsell_cta')}
                name="upsell_cta"
                choices={offers.map(id => ({ id, label: t(`branding.upsell_cta.${id}`) }))}
                value={offer}
                onChange={value => setOffer(value)}
              />
            </section>
          )}
        </div>
        {administers && (
          <FormActions>
            <SubmitButton>{t('save')}</SubmitButton>
          </FormActions>
        )}
      </Form>
    </>
  )
}
