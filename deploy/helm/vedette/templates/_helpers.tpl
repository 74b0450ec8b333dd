{{- define "vedette.app" -}}
{{ .root.Values.nameOverride | default "vedette" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "vedette.selector" -}}
app.kubernetes.io/name: {{ include "vedette.app" . }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "vedette.labels" -}}
{{ include "vedette.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{/* Of a part that is scraped. `vedette/job` is the job that the rules of deploy/prometheus know. */}}
{{- define "vedette.podMetadata" -}}
labels: {{- include "vedette.labels" . | nindent 2 }}
  vedette/job: {{ .job | default "vedette" }}
  {{- with .part }}
  vedette/part: {{ . }}
  {{- end }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .root.Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A name of 52 characters at most: Kubernetes adds to it. One that is cut has a hash, so that no two are the same. */}}
{{- define "vedette.name" -}}
{{- $name := printf "%s-%s" (.root.Values.fullnameOverride | default .root.Release.Name) .component -}}
{{- if gt (len $name) 52 -}}
{{ printf "%s-%s" ($name | trunc 43 | trimSuffix "-") ($name | sha256sum | trunc 8) }}
{{- else -}}
{{ $name }}
{{- end -}}
{{- end -}}

{{- define "vedette.image" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "vedette.baseUrl" -}}
{{ required "baseUrl is not set: the address that people and agents use, https://status.example.com" .Values.baseUrl }}
{{- end -}}

{{- define "vedette.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "vedette.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "vedette.podPlace" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* On as many nodes, and in as many zones, as there are. */}}
{{- define "vedette.spread" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "vedette.selector" $ | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* What every command of the control plane reads that is no secret: its migration too. */}}
{{- define "vedette.settings" -}}
- { name: BASE_URL, value: {{ include "vedette.baseUrl" . | quote }} }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Settings and secrets of a control plane. */}}
{{- define "vedette.environment" -}}
env:
  {{- if .Values.ingest.url }}
  # of the processes of the role ingest; the others make nothing of it
  - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  - { name: INGEST_URL, value: {{ .Values.ingest.url | quote }} }
  {{- end }}
  - { name: METRICS_HOST, value: '0.0.0.0' }
  - { name: PAGES_FOLDER, value: /var/lib/vedette }
  {{- if .Values.temporal.address }}
  - { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
  - { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
  {{- end }}
  {{- include "vedette.settings" . | nindent 2 }}
envFrom:
  - secretRef: { name: {{ .Values.secrets.keys }} }
  - secretRef: { name: {{ .Values.secrets.stores }} }
  {{- with .Values.secrets.extra }}
  - secretRef: { name: {{ . }} }
  {{- end }}
{{- end -}}

{{- define "vedette.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}
{{- define "vedette.volumes" -}}
- { name: tmp, emptyDir: { medium: Memory, sizeLimit: 64Mi } }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "vedette.claim" -}}
spec:
  accessModes: [ReadWriteOnce]
  {{- with .className }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests: { storage: {{ .size }} }
{{- end -}}

{{/* A pod of the control plane in one role. `storage`: its state is on a claim of a StatefulSet. */}}
{{- define "vedette.rolePod" -}}
metadata: {{- include "vedette.podMetadata" . | nindent 2 }}
spec:
  {{- include "vedette.podPlace" .root | nindent 2 }}
  securityContext: {{- include "vedette.podSecurity" . | nindent 4 }}
  terminationGracePeriodSeconds: 30
  {{- include "vedette.spread" . | nindent 2 }}
  containers:
    - name: {{ .component }}
      image: {{ include "vedette.image" (dict "root" .root "image" .root.Values.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve, --role, {{ .component }}]
      {{- include "vedette.environment" .root | nindent 6 }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: metrics, containerPort: 9464 }
      securityContext: {{- include "vedette.containerSecurity" . | nindent 8 }}
      startupProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: {{ .ready }}, port: metrics }
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 2
      {{- if has .component (list "api" "pages") }}
      lifecycle:
        # requests are still sent here for a moment after the pod was taken out of the service
        preStop: { exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] } }
      {{- end }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: state, mountPath: /var/lib/vedette }
        {{- include "vedette.mounts" .root | nindent 8 }}
  volumes:
    {{- if not .storage }}
    - { name: state, emptyDir: { sizeLimit: 1Gi } }
    {{- end }}
    {{- include "vedette.volumes" .root | nindent 4 }}
{{- end -}}

{{- define "vedette.dns" }}
- to: [{ namespaceSelector: {} }]
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}
{{- define "vedette.toStores" }}
{{- range $name, $store := .Values.stores }}
{{- if and (or (ne $name "temporal") $.Values.temporal.address) (or (ne $name "pooler") $store.enabled) }}
- ports: [{ protocol: TCP, port: {{ $store.port }} }]
  {{- with $store.cidr }}
  to: [{ ipBlock: { cidr: {{ . }} } }]
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
{{/* Public addresses, as the guard of checks knows them, and what the operator allows. */}}
{{- define "vedette.toInternet" }}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          - 0.0.0.0/8
          - 10.0.0.0/8
          - 100.64.0.0/10
          - 127.0.0.0/8
          - 168.63.129.16/32
          - 169.254.0.0/16
          - 172.16.0.0/12
          - 192.0.0.0/24
          - 192.0.2.0/24
          - 192.31.196.0/24
          - 192.52.193.0/24
          - 192.88.99.0/24
          - 192.168.0.0/16
          - 192.175.48.0/24
          - 198.18.0.0/15
          - 198.51.100.0/24
          - 203.0.113.0/24
          - 224.0.0.0/4
          - 240.0.0.0/4
    - ipBlock:
        cidr: 2000::/3
        except: ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
{{- range .Values.networkPolicies.checked }}
- to: [{ ipBlock: { cidr: {{ . | quote }} } }]
{{- end }}
{{- end }}
{{- define "vedette.toReach" }}
{{- range .Values.networkPolicies.reach }}
- to: [{ ipBlock: { cidr: {{ .cidr | quote }} } }]
  {{- with .port }}
  ports: [{ protocol: TCP, port: {{ . }} }]
  {{- end }}
{{- end }}
{{- with .Values.networkPolicies.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}
