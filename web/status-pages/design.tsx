import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Fieldset, Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { languages, nameOfLanguage } from '../words.ts'
import { Preview } from './preview.tsx'
import { changePage, type PageChanges, pageQuery, type StatusPage } from './queries.ts'

const zones = Intl.supportedValuesOf('timeZone')
const themes = ['auto', 'light', 'dark'] as const
const uptimeModes = ['duration', 'requests', 'manual'] as const

type Link = StatusPage['header_links'][number]

const linesOf = (links: readonly Link[]) => links.map(({ label, url }) => `${label} ${url}`).join('\n')
/** A link a line: its label, and behind the last space its address. */
const linksOf = (text: string): Link[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const at = line.lastIndexOf(' ')
      return { label: line.slice(0, Math.max(0, at)).trim() || line, url: line.slice(at + 1) }
    })

const fieldsOf = (page: StatusPage) => ({
  name: page.name,
  slug: page.slug,
  description: page.description,
  announcement: page.texts[page.locale]?.announcement ?? '',
  footer: page.texts[page.locale]?.footer ?? '',
  locale: page.locale,
  isBilingual: page.locales.length > 1,
  timezone: page.timezone,
  theme: page.theme,
  primary_color: page.primary_color ?? '',
  logo_url: page.logo_url ?? '',
  logo_url_dark: page.logo_url_dark ?? '',
  header_links: linesOf(page.header_links),
  footer_links: linesOf(page.footer_links),
  history_days: page.history_days,
  show_uptime: page.show_uptime,
  show_response: page.show_response,
  show_values: page.show_values,
  uptime_mode: page.uptime_mode,
  min_incident_minutes: page.min_incident_minutes,
  noindex: page.noindex,
})
type Fields = ReturnType<typeof fieldsOf>

function changesOf(page: StatusPage, fields: Fields): PageChanges {
  const { announcement, footer, isBilingual, header_links, footer_links, ...plain } = fields
  const texts = Object.fromEntries(Object.entries({ announcement, footer }).filter(([, text]) => text !== ''))
  const { announcement: _, footer: __, ...kept } = page.texts[fields.locale] ?? {}
  const after: PageChanges = {
    ...plain,
    primary_color: plain.primary_color || null,
    logo_url: plain.logo_url || null,
    logo_url_dark: plain.logo_url_dark || null,
    locales: isBilingual ? [...languages] : [fields.locale],
    header_links: linksOf(header_links),
    footer_links: linksOf(footer_links),
    texts: { ...page.texts, [fields.locale]: { ...kept, ...texts } },
  }
  const before: Readonly<Record<string, unknown>> = { ...page, texts: { [fields.locale]: {}, ...page.texts } }
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

/** How the page looks: fields beside the page itself. */
export function Design() {
  const { page: id } = useParams({ from: '/app/app/status-pages/$page/' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  return <Editor key={page.id} page={page} />
}

function Editor({ page }: { page: StatusPage }) {
  const { t, i18n } = useTranslation('status-pages')
  const oneOf = new Intl.ListFormat(i18n.language, { type: 'disjunction' })
  const [fields, put] = useFields(() => fieldsOf(page))
  const changes = changesOf(page, fields)
  const saving = useMutation({
    mutationFn: (body: PageChanges) => changePage(page.id, body),
    onSuccess: () => toast.success(t('saved')),
  })
  const text = (name: 'name' | 'slug' | 'primary_color' | 'logo_url' | 'logo_url_dark', more = {}) => (
    <TextField
      label={t(`field.${name}`)}
      name={name}
      value={fields[name]}
      onChange={value => put({ [name]: value })}
      {...more}
    />
  )
  const tick = (name: 'show_uptime' | 'show_values' | 'show_response' | 'noindex') => (
    <CheckboxField
      label={t(`field.${name}`)}
      name={name}
      isSelected={fields[name]}
      onChange={value => put({ [name]: value })}
    />
  )
  const lines = (name: 'description' | 'announcement' | 'footer' | 'header_links' | 'footer_links', more = {}) => (
    <TextField
      label={t(`field.${name}`)}
      name={name}
      rows={2}
      value={fields[name]}
      onChange={value => put({ [name]: value })}
      {...more}
    />
  )
  return (
    <div className="beside">
      <section className="card">
        <Form mutation={saving} body={() => changes} aria-label={t('tab.design')}>
          <Fieldset legend={t('group.texts')}>
            {text('name', { isRequired: true })}
            {text('slug', { isRequired: true, isCode: true, description: t('field.slug.says') })}
            {lines('description')}
            {lines('announcement', { description: t('field.announcement.says') })}
            {lines('footer')}
          </Fieldset>
          <Fieldset legend={t('group.look')}>
            <SelectField
              label={t('field.theme')}
              name="theme"
              choices={themes.map(id => ({ id, label: t(`theme.${id}`) }))}
              value={fields.theme}
              onChange={theme => put({ theme })}
            />
            {text('primary_color', { isCode: true, placeholder: '#1f6feb', description: t('field.brand.says') })}
            {text('logo_url', { type: 'url', isCode: true })}
            {text('logo_url_dark', { type: 'url', isCode: true })}
            {lines('header_links', { description: t('field.links.says'), isCode: true })}
            {lines('footer_links', { isCode: true })}
          </Fieldset>
          <Fieldset legend={t('group.language')}>
            <SelectField
              label={t('field.locale')}
              name="locale"
              choices={languages.map(id => ({ id, label: nameOfLanguage(id, i18n.language) }))}
              value={fields.locale}
              onChange={locale => put({ locale })}
            />
            <CheckboxField
              label={t('field.locales', {
                languages: oneOf.format(languages.map(id => nameOfLanguage(id, i18n.language))),
              })}
              name="locales"
              isSelected={fields.isBilingual}
              onChange={isBilingual => put({ isBilingual })}
            />
            <SelectField
              label={t('field.timezone')}
              name="timezone"
              choices={[...new Set(['UTC', fields.timezone, ...zones])].map(id => ({ id, label: id }))}
              value={fields.timezone}
              onChange={timezone => put({ timezone })}
            />
          </Fieldset>
          <Fieldset legend={t('group.figures')}>
            <NumberField
              label={t('field.history_days')}
              name="history_days"
              unit={t('days')}
              minValue={7}
              maxValue={365}
              value={fields.history_days}
              onChange={days => put({ history_days: days })}
            />
            {tick('show_uptime')}
            {tick('show_values')}
            {tick('show_response')}
            <SelectField
              label={t('field.uptime_mode')}
              name="uptime_mode"
              choices={uptimeModes.map(id => ({ id, label: t(`uptime.${id}`) }))}
              value={fields.uptime_mode}
              onChange={mode => put({ uptime_mode: mode })}
            />
            <NumberField
              label={t('field.min_incident_minutes')}
              name="min_incident_minutes"
              unit={t('minutes')}
              minValue={0}
              maxValue={1440}
              value={fields.min_incident_minutes}
              onChange={minutes => put({ min_incident_minutes: minutes })}
            />
            {tick('noindex')}
          </Fieldset>
          <FormActions>
            <SubmitButton>{t('save')}</SubmitButton>
          </FormActions>
        </Form>
      </section>
      <Preview page={page} changes={changes} />
    </div>
  )
}
