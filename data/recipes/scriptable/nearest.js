const api = 'http://localhost:8080/api/v1';
const codes = ['NO2', 'PM10'];

Location.setAccuracyToThreeKilometers();
const { latitude, longitude } = await Location.current();
const query = `nearest=true&parameter_code=${codes.join(',')}&lat=${latitude}&lon=${longitude}`;
const { data } = await new Request(`${api}/observations/latest?${query}`).loadJSON();

const widget = new ListWidget();
widget.refreshAfterDate = new Date(Date.now() + 30 * 60_000);
for (const { parameter_code, value, unit, distance_m, time_end_utc } of data) {
  widget.addText(`${parameter_code} ${value} ${unit}`).font = Font.boldSystemFont(15);
  const time = new Date(time_end_utc).toLocaleTimeString([], { timeStyle: 'short' });
  widget.addText(`${(distance_m / 1000).toFixed(1)} km, ${time}`).font = Font.systemFont(11);
}
if (data.length === 0) widget.addText('No station within 25 km');

Script.setWidget(widget);
if (config.runsInApp) await widget.presentSmall();
Script.complete();
