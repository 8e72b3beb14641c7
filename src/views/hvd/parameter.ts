/** HVD parameter records (docs/http-api/values.md, "HVD records"). */
import type { Component } from '../../snapshot/domain/model.js';
import { compareCodes } from '../../snapshot/domain/observation-order.js';
import { AVERAGING_PERIOD, type ParameterRecord } from './fields.js';

/** Records of components, ascending by code (docs/http-api/values.md, "Order"); a record has every field, null where the value is unknown. */
export function viewHvdParameters(components: readonly Component[]): readonly ParameterRecord[] {
  return components
    .map(viewHvdParameter)
    .sort((a, b) => compareCodes(a.parameter_code, b.parameter_code));
}

function viewHvdParameter(component: Component): ParameterRecord {
  return {
    parameter_code: component.shortName,
    parameter_name: component.parameterName ?? component.shortName,
    unit: component.unit,
    averaging_period: AVERAGING_PERIOD,
    cas_number: component.casNumber ?? null,
    description: component.description ?? null,
  };
}
