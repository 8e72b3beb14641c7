/** HVD parameter records (spec, "HVD parameter"). */
import type { Component } from '../../snapshot/domain/model.js';
import { compareCodes } from '../../snapshot/domain/observation-order.js';
import { AVERAGING_PERIOD, type ParameterRecord } from './fields.js';

/** Records of components, ascending by code (contract §6, "Order"); every field is there, null where unknown. */
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
