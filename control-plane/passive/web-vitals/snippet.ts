/**
 * The script of a page that reports its web vitals once, when the visitor leaves or hides it. CLS is the worst window
 * of five seconds; INP is the value that one in fifty interactions may exceed. No cookies, no ids.
 */
const script = `(function(u){
var d={},w=0,s=0,l=0,n={},m=0,sent=0;
function on(t,f,o){try{new PerformanceObserver(function(a){a.getEntries().forEach(f)}).observe(Object.assign({type:t,buffered:true},o))}catch(e){}}
var g=performance.getEntriesByType('navigation')[0];
if(g&&g.responseStart>0)d.TTFB=g.responseStart;
on('paint',function(e){if(e.name==='first-contentful-paint')d.FCP=e.startTime});
on('largest-contentful-paint',function(e){d.LCP=e.startTime});
on('layout-shift',function(e){if(e.hadRecentInput)return;w=w&&e.startTime-l<1000&&e.startTime-s<5000?w+e.value:(s=e.startTime,e.value);l=e.startTime;d.CLS=Math.max(d.CLS||0,w)});
on('event',function(e){if(!e.interactionId)return;if(!(e.interactionId in n))m++;n[e.interactionId]=Math.max(n[e.interactionId]||0,e.duration)},{durationThreshold:40});
addEventListener('visibilitychange',function(){
if(document.visibilityState!=='hidden'||sent++)return;
var i=Object.keys(n).map(function(k){return n[k]}).sort(function(a,b){return b-a});
if(i.length)d.INP=i[Math.min(i.length-1,Math.floor(m/50))];
if(d.LCP&&d.CLS===undefined)d.CLS=0;
var c=navigator.connection&&navigator.connection.effectiveType||'unknown';
var b=Object.keys(d).map(function(k){return{metric:k,value:d[k],path:location.pathname,connection:c}});
if(b.length)navigator.sendBeacon(u,JSON.stringify(b))
})})`

/** The script with the address that it reports to, as it is put into a page. */
export const snippetFor = (url: string) => `<script>${script}(${JSON.stringify(url)})</script>`
